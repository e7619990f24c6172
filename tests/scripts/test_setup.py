#!/usr/bin/env python3
"""Tests of scripts/setup."""

import contextlib
import os
import re
import shutil
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import REPOSITORY, SCRIPTS, Sandbox, without_root


class SetupTest(Sandbox):
    """scripts/setup with a PATH that has nothing but what the test puts there."""

    LIBRARIES = ["libcli11-dev", "libfmt-dev", "nlohmann-json3-dev", "libboost-dev", "libgtest-dev"]

    def setUp(self):
        super().setUp()
        self.bash = shutil.which("bash")
        if not self.bash:
            self.skipTest("this system has no bash")
        self.scripts, self.tools = self.root / "scripts", self.root / "tools"
        for folder in (self.scripts, self.tools):
            folder.mkdir()
        self.script = shutil.copy(SCRIPTS / "setup", self.scripts)
        shutil.copy(REPOSITORY / "CMakeLists.txt", self.root)
        for name in ("g++", "make", "python3"):
            self.add_tool(name, "exit 0")
        (self.tools / "dirname").symlink_to(shutil.which("dirname"))
        self.add_nvcc("13.0")
        self.add_cmake("3.25.1")

    def add_tool(self, name, body):
        path = self.tools / name
        path.write_text(f"#!{self.bash}\n{body}\n")
        path.chmod(0o755)

    @contextlib.contextmanager
    def without(self, *tools):
        """These tools are not there, or the test puts others in their place."""
        for tool in tools:
            (self.tools / tool).rename(self.root / tool)
        yield
        for tool in tools:
            (self.root / tool).rename(self.tools / tool)

    def add_cmake(self, version):
        self.add_tool("cmake", f"echo 'cmake version {version}'")

    def add_nvcc(self, version, preprocesses="exit 0"):
        says = f"Cuda compilation tools, release {version}, V{version}.140"
        self.add_tool("nvcc", f'case "$*" in --version) echo "{says}";; *) {preprocesses};; esac')

    def add_dpkg(self, installed):
        names = f" {' '.join(installed)} "
        self.add_tool("dpkg-query", f"case '{names}' in *\" ${{!#}} \"*) echo installed;; *) exit 1;; esac")

    def setup_script(self, *options, environment=(), **process_options):
        environment = {"PATH": str(self.tools)} | dict(environment)
        return self.execute(self.bash, self.script, *options, env=environment, cwd=self.root, **process_options)

    def test_silent_where_nothing_is_missing(self):
        self.assertEqual(0, self.setup_script().returncode)  # without dpkg the libraries are left to CMake
        self.add_dpkg(self.LIBRARIES)
        process = self.setup_script()
        self.assertEqual((0, "", ""), (process.returncode, process.stdout, process.stderr))
        self.assert_ends(self.setup_script("--frobnicate"), 2, "--frobnicate")

    def test_what_is_missing_is_named_without_root(self):
        """Tools and libraries, those of CI and of quality, and what charts are drawn with. Without dpkg libraries are left to CMake."""
        with_matplotlib = self.execute("/usr/bin/python3", "-c", "import matplotlib").returncode == 0
        for tools, libraries, options, packages in (
            (["cmake", "make"], None, (), "cmake make"), ([], None, ("--ci",), "clang clang-format g++-11 chromium"),
            ([], None, ("--quality",), "dieharder"), ([], 2, (), "nlohmann-json3-dev libboost-dev libgtest-dev"),
            (["python3"], 5, ("--charts",), "python3 python3-jsonschema" + ("" if with_matplotlib else " python3-matplotlib")),
        ):  # fmt: skip
            with self.subTest(packages):
                if libraries is not None:
                    self.add_dpkg(self.LIBRARIES[:libraries])
                with self.without(*tools):
                    self.assert_ends(
                        self.setup_script(*options, **without_root()), 1, f"sudo apt-get install -y {packages}\n"
                    )
        self.add_tool("dieharder", "exit 0")
        self.assertEqual(0, self.setup_script("--quality").returncode)
        (self.tools / "make").unlink()  # and there is no apt-get
        self.assert_ends(self.setup_script(), 1, "sudo apt-get install -y make\n")

    def test_root_installs_what_is_missing(self):
        self.need_root()
        (self.tools / "make").unlink()
        self.add_dpkg(self.LIBRARIES[1:])
        self.add_tool("apt-get", f"echo \"$DEBIAN_FRONTEND $*\" >> '{self.root}/calls'")
        self.succeeded(self.setup_script())
        calls = (self.root / "calls").read_text().splitlines()
        install = "noninteractive -qq install -y --no-install-recommends make libcli11-dev"
        self.assertEqual(["noninteractive -qq update", install], calls)
        self.add_tool("apt-get", "exit 100")
        self.assert_ends(self.setup_script(), 1, "apt-get could not install: make")

    def test_the_scripts_need_jsonschema(self):
        self.add_tool("python3", "[[ $* != *jsonschema* ]]")
        self.assert_ends(self.setup_script(**without_root()), 1, "sudo apt-get install -y python3-jsonschema\n")
        self.need_root()
        self.add_tool("apt-get", "exit 0")
        self.assert_ends(
            self.setup_script(),
            1,
            f"{self.tools}/python3 has no jsonschema; run: {self.tools}/python3 -m pip install jsonschema",
        )
        self.add_tool(
            "python3",
            f"[[ $* != *import\\ jsonschema* || -e '{self.root}/there' ]] || exit 1; [[ $* != *pip* ]] || : > '{self.root}/there'",
        )
        self.succeeded(self.setup_script())
        self.assertTrue((self.root / "there").exists())

    def test_the_report_needs_a_module_and_no_compiler(self):
        self.add_tool("python3", "[[ $* != *markdown?it* ]]")
        self.succeeded(self.setup_script())
        self.add_nvcc("11.0")
        self.add_cmake("3.0")
        with self.without("g++", "make"):
            self.assert_ends(
                self.setup_script("--report", **without_root()), 1, "sudo apt-get install -y python3-markdown-it\n"
            )
            self.need_root()
            self.add_tool("apt-get", "exit 0")
            self.assert_ends(
                self.setup_script("--report"),
                1,
                f"has no markdown_it; run: {self.tools}/python3 -m pip install markdown-it-py",
            )

    def test_ci_runs_the_notebook(self):
        self.add_tool("python3", "[[ $* != *nbclient* ]]")
        self.succeeded(self.setup_script())
        self.assert_ends(self.setup_script("--ci", **without_root()), 1, " python3-nbclient\n")

    def test_waits_while_another_apt_runs(self):
        process, calls = self.setup_while_apt_is_busy(3)
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual("setup: waiting for another apt-get to finish\nsetup: installing make\n", process.stdout)
        self.assertEqual(["update"] * 4 + ["install"], calls)

    def test_another_apt_that_runs_for_more_than_two_minutes(self):
        process, calls = self.setup_while_apt_is_busy(1000)
        self.assertEqual(1, process.returncode)
        self.assertIn("It is held by process 7", process.stderr)
        self.assertEqual("setup: apt-get could not install: make", process.stderr.splitlines()[-1])
        self.assertEqual(122, len(calls))  # one a second, and the first of install

    def setup_while_apt_is_busy(self, seconds):
        """setup where make is missing, and the words of apt-get's calls; a stand-in for sleep counts the seconds."""
        self.need_root()
        (self.tools / "make").unlink()
        clock, log = self.root / "clock", self.root / "calls"
        clock.touch()
        self.add_tool("sleep", f"echo >> '{clock}'")
        error = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"
        self.add_tool(
            "apt-get",
            f"echo $2 >> '{log}'; mapfile -t clock < '{clock}'\n"
            f"(( ${{#clock[@]}} >= {seconds} )) || {{ echo '{error}' >&2; exit 100; }}",
        )
        return self.setup_script(), log.read_text().split()

    def test_no_nvcc(self):
        process = self.setup_script(environment={"CUDACXX": "/nowhere/nvcc"})
        self.assert_ends(process, 1, "/nowhere/nvcc not found: CUDA 12.4 or later is needed",
                         "Debian 13 has it (apt-get install nvidia-cuda-toolkit, component non-free)",
                         "https://developer.nvidia.com/cuda-downloads")  # fmt: skip
        (self.tools / "nvcc").rename(self.root / "my-nvcc")
        self.succeeded(self.setup_script(environment={"CUDACXX": str(self.root / "my-nvcc")}))

    def test_no_nvcc_and_no_packages(self):
        (self.tools / "make").unlink()
        self.add_tool("apt-get", f"echo \"$*\" >> '{self.root}/calls'")
        process = self.setup_script(environment={"CUDACXX": "/nowhere/nvcc"}, **without_root())
        self.assert_ends(process, 1, "/nowhere/nvcc not found", "; missing: make; run: sudo apt-get install -y make\n")
        self.assert_ends(self.setup_script(environment={"CUDACXX": "/nowhere/nvcc"}), 1, "/nowhere/nvcc not found")
        self.assertFalse((self.root / "calls").exists())

    def test_no_nvcc_anywhere(self):
        if os.path.exists("/usr/local/cuda/bin/nvcc"):
            self.skipTest("this system has a CUDA Toolkit in its usual place")
        (self.tools / "nvcc").unlink()
        self.assert_ends(self.setup_script(), 1, "setup: nvcc not found")

    def test_old_cuda(self):
        for version in ("11.8", "12.0", "12.3"):
            self.add_nvcc(version)
            self.assert_ends(self.setup_script(), 1, f"CUDA 12.4 or later is needed, this is {version}", "Debian 13",
                             "https://developer.nvidia.com/cuda-downloads")  # fmt: skip
        self.add_nvcc("12.4")
        self.assertEqual(0, self.setup_script().returncode)

    def test_compiler_that_is_too_new_for_nvcc(self):
        error = "#error -- unsupported GNU version! gcc versions later than 13 are not supported!"
        self.add_nvcc("12.4", f'[[ $* == *"-ccbin g++-13"* ]] || {{ echo "{error}" >&2; exit 1; }}')
        self.assert_ends(self.setup_script(), 1, "too new for nvcc", "later than 13", "export CUDAHOSTCXX=g++-13")
        self.succeeded(self.setup_script(environment={"CUDAHOSTCXX": "g++-13"}))

    def test_versions_of_cmake(self):
        for version, code in {"3.22.0": 0, "3.30.2-rc1": 0, "4.0.3": 0, "3.21.4": 1, "3.9.6": 1, "2.99": 1}.items():
            self.add_cmake(version)
            self.assertEqual(code, self.setup_script().returncode, version)

    def test_old_tools(self):
        for tool, says, part in (
            ("cmake", "cmake version 3.18.4", "CMake 3.22 or later is needed, this is 3.18"),
            ("python3", "Python 3.9.2", "Python 3.10 or later is needed, this is 3.9"),
            ("g++", "10.2.1", "g++ 11 or later is needed, this is 10.2"),
        ):
            with self.without(tool):
                self.add_tool(tool, f"echo {says}")
                self.assert_ends(self.setup_script(), 1, part, "Ubuntu 22.04 and Debian 12 have it")
        self.add_tool("g++", "echo 10.2.1")
        self.succeeded(self.setup_script(environment={"CXX": "g++-12"}))

    def test_old_packages_are_not_installed(self):
        self.add_dpkg(self.LIBRARIES)
        self.add_tool("apt-get", f"echo \"$*\" >> '{self.root}/calls'")
        for tool, candidate, part in (
            ("cmake", "3.18.4-2+deb11u1", "CMake 3.22 or later"),
            ("g++", "4:10.2.1-1", "g++ 11 or later"),
        ):
            with self.without(tool):
                self.add_tool(
                    "apt-cache", f"echo '{tool}:'; echo '  Installed: (none)'; echo '  Candidate: {candidate}'"
                )
                self.assert_ends(self.setup_script(), 1, part, "Ubuntu 22.04")
        calls = self.root / "calls"
        self.assertNotIn("install", calls.read_text() if calls.exists() else "")

    def test_the_documentation_names_the_same_versions(self):
        needed = " ".join(
            (REPOSITORY / "docs" / "running.md").read_text().split("## What you need")[1].split("\n## ")[0].split()
        )
        self.add_dpkg(self.LIBRARIES)
        for tool, name in {"nvcc": "CUDA", "cmake": "CMake", "g++": "g++", "python3": "Python"}.items():
            with self.without(tool):
                self.add_tool(tool, "echo release 0.1")
                oldest = re.search(rf"{re.escape(name)} ([0-9.]+) or later is needed", self.setup_script().stderr)[1]
            self.assertRegex(needed, rf"{re.escape(name)} {re.escape(oldest)} (or later|to)")
        for package in (*self.LIBRARIES, "cmake", "g++", "python3", "python3-jsonschema", "make"):
            self.assertIn(package, needed)

    def test_charts_are_optional(self):
        self.add_dpkg(self.LIBRARIES)
        (self.tools / "apt-get").unlink(missing_ok=True)
        self.add_tool("python3", "[[ $* == *jsonschema* ]]")
        process = self.setup_script("--charts")
        self.assertEqual(0, process.returncode)
        if process.stderr:  # /usr/bin/python3 has none either
            self.assert_one_line(process.stderr, "charts will not be drawn", "python3-matplotlib")

    def test_testu01_is_optional(self):
        self.add_tool("dieharder", "exit 0")
        self.add_dpkg(self.LIBRARIES)
        (self.tools / "apt-get").unlink(missing_ok=True)
        for candidate, parts in (
            ("(none)", ()),
            ("1.2.3+ds1-1", ("TestU01 will not be used", "apt-get install -y libtestu01-0-dev")),
        ):
            self.add_tool("apt-cache", f"echo 'libtestu01-0-dev:'; echo '  Candidate: {candidate}'")
            process = self.setup_script("--quality")
            self.assertEqual((0, bool(parts)), (process.returncode, bool(process.stderr)))
            for part in parts:
                self.assertIn(part, process.stderr)
        self.add_dpkg([*self.LIBRARIES, "libtestu01-0-dev"])
        self.assertEqual("", self.setup_script("--quality").stderr)

    def need_root(self):
        if os.geteuid() != 0:
            self.skipTest("only root installs packages")


if __name__ == "__main__":
    unittest.main()
