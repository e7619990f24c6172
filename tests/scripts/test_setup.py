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

    LIBRARIES = ["CLI11", "fmt", "nlohmann_json", "Boost", "GTest"]

    def setUp(self):
        super().setUp()
        self.bash = shutil.which("bash")
        if not self.bash:
            self.skipTest("this system has no bash")
        self.scripts, self.tools = self.root / "scripts", self.root / "tools"
        for folder in (self.scripts, self.tools, self.root / "docs"):
            folder.mkdir()
        self.script = shutil.copy(SCRIPTS / "setup", self.scripts)
        shutil.copy(REPOSITORY / "CMakeLists.txt", self.root)
        shutil.copy(REPOSITORY / "docs" / "running.md", self.root / "docs")
        for name in ("g++", "make", "python3"):
            self.add_tool(name, "exit 0")
        for name in ("dirname", "mktemp", "rm"):
            (self.tools / name).symlink_to(shutil.which(name))
        self.add_nvcc("13.0")
        self.add_cmake()

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

    def add_cmake(self, version="3.25.1", finds_no=()):
        self.add_tool(
            "cmake",
            f"case $1 in --version) echo 'cmake version {version}';; *) echo '-- Not found: {' '.join(finds_no)}';; esac",
        )

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
        process = self.setup_script()
        self.assertEqual((0, "", ""), (process.returncode, process.stdout, process.stderr))
        self.assert_ends(self.setup_script("--frobnicate"), 2, "--frobnicate")

    def test_help(self):
        text = self.succeeded(self.execute(SCRIPTS / "setup", "--help")).stdout
        self.assertTrue(text.startswith("Checks that this machine"), text)
        self.assertIn("\nexit codes: 0 nothing is missing", text)
        self.assertEqual([], [line for line in text.splitlines() if len(line) > 80])

    def test_what_is_missing_is_named_without_root(self):
        """Tools, the libraries that CMake does not find, all of them where there is no CMake, what CI, quality and the report need."""
        self.add_managers("sudo", "apt-get")
        libraries = "libcli11-dev libfmt-dev nlohmann-json3-dev libboost-dev libgtest-dev"
        for tools, finds_no, options, packages in (
            (["make"], [], (), "make"), (["cmake", "make"], [], (), f"cmake make {libraries}"),
            ([], ["fmt", "GTest"], (), "libfmt-dev libgtest-dev"), ([], [], ("--ci",), "clang clang-format g++-11 chromium fonts-liberation libeigen3-dev libomp-dev libopenmpi-dev"),
            ([], ["Boost"], ("--quality",), "dieharder libboost-dev"), (["python3"], [], (), "python3 python3-jsonschema"),
        ):  # fmt: skip
            with self.subTest(packages):
                self.add_cmake(finds_no=finds_no)
                with self.without(*tools):
                    self.assert_ends(
                        self.setup_script(*options, **without_root()), 1, f"; run: sudo apt-get install -y {packages}\n"
                    )
        self.add_cmake()
        self.add_tool("dieharder", "exit 0")
        self.assertEqual(0, self.setup_script("--quality").returncode)

    def test_advice_fits_the_machine(self):
        """Its package manager, its root or none, and the Python that runs the scripts."""
        self.add_cmake(finds_no=["CLI11", "Boost"])
        own = f"{self.tools}/python3 -m pip install jsonschema"
        for managers, environment, command in (
            (["sudo", "apt-get"], {}, f"sudo apt-get install -y libcli11-dev libboost-dev && {own}"),
            (["sudo", "dnf"], {}, f"sudo dnf install -y cli11-devel boost-devel && {own}"),
            (["sudo", "pacman"], {}, f"sudo pacman -S cli11 boost && {own}"),
            (["apt-get"], {}, f"conda create -n suite -c conda-forge cli11 libboost-devel && {own}"),
            (["apt-get", "uv", "conda"], {}, "conda create -n suite -c conda-forge cli11 libboost-devel && uv pip install jsonschema"),
            (["sudo", "apt-get"], {"CONDA_PREFIX": "/conda"}, "conda install -y -c conda-forge cli11 libboost-devel jsonschema"),
            (["sudo", "pacman", "no-pip"], {}, f"sudo pacman -S cli11 boost && {self.tools}/python3 -m ensurepip && {own}"),
            (["sudo", "pacman"], {"BEHIND_SHIM": "/usr/bin/python3"}, "sudo pacman -S cli11 boost python-jsonschema"),
        ):  # fmt: skip
            with self.subTest(command):
                self.add_managers(*managers)
                lacks = "jsonschema|pip" if {"uv", "no-pip"} & {*managers} else "jsonschema"
                self.add_tool("python3", f"[[ $* != *executable* ]] || echo $BEHIND_SHIM; [[ ! $* =~ {lacks} ]]")
                process = self.setup_script(environment=environment, **without_root())
                get = "get conda from https://conda-forge.org/download and " * (managers == ["apt-get"])
                self.assert_ends(process, 1, f"missing: CLI11 Boost jsonschema; {get}run: {command}\n")

    def add_managers(self, *names):
        """These package managers and sudo are there, and no others."""
        for name in ("sudo", "apt-get", "dnf", "pacman", "uv", "conda"):
            (self.tools / name).unlink(missing_ok=True)
        for name in names:
            self.add_tool(name, "exit 1")

    def test_cmake_itself_says_what_it_finds(self):
        """Its own packages, such as those of Spack or conda, in a folder of CMAKE_PREFIX_PATH; dpkg is not asked."""
        if not shutil.which("cmake"):
            self.skipTest("this system has no cmake")
        path = os.environ["PATH"]
        (self.tools / "cmake").unlink()
        own = self.root / "own" / "lib" / "cmake"
        for name in self.LIBRARIES:
            (own / name).mkdir(parents=True)
            (own / name / f"{name}Config.cmake").write_text(f"set({name}_FOUND $ENV{{FOUND}})\n")
        (self.tools / "g++").unlink()
        environment = {"PATH": f"{self.tools}:{path}", "CMAKE_PREFIX_PATH": str(self.root / "own")}
        self.assertEqual(0, self.setup_script(environment=environment | {"FOUND": "1"}).returncode)
        process = self.setup_script(environment=environment | {"FOUND": "0"}, **without_root())
        self.assertIn("missing: CLI11 fmt nlohmann_json", process.stderr)  # CMake has files of its own for the others

    def test_root_installs_what_is_missing(self):
        self.need_root()
        (self.tools / "make").unlink()
        self.add_cmake(finds_no=["CLI11"])
        self.add_tool("apt-get", f"echo \"$DEBIAN_FRONTEND $*\" >> '{self.root}/calls'")
        self.succeeded(self.setup_script())
        calls = (self.root / "calls").read_text().splitlines()
        install = "noninteractive -qq install -y --no-install-recommends make libcli11-dev"
        self.assertEqual(["noninteractive -qq update", install], calls)
        self.add_tool("apt-get", "exit 100")
        self.assert_ends(self.setup_script(), 1, "missing: make CLI11; run: sudo apt-get install -y make libcli11-dev")

    def test_measuring_does_not_need_jsonschema(self):
        self.add_tool("python3", "[[ $* != *jsonschema* ]]")
        told = f"will not be checked; missing: jsonschema; run: {self.tools}/python3 -m pip install jsonschema\n"
        self.assert_ends(self.setup_script(**without_root()), 0, told)
        self.need_root()
        self.add_tool("apt-get", "exit 0")
        self.assert_ends(self.setup_script(), 0, told)
        self.add_tool(
            "python3",
            f"[[ $* != *import\\ jsonschema* || -e '{self.root}/there' ]] || exit 1; [[ $* != *pip\\ install* ]] || : > '{self.root}/there'",
        )
        self.assertEqual("", self.setup_script(environment={"CONDA_PREFIX": "/conda"}).stderr)  # not apt's Python
        self.assertTrue((self.root / "there").exists())

    def test_the_report_needs_a_module_and_no_compiler(self):
        self.add_tool("python3", "[[ $* != *markdown?it* ]]")
        self.succeeded(self.setup_script())
        self.add_nvcc("11.0")
        self.add_cmake("3.0", finds_no=self.LIBRARIES)
        told = f"missing: markdown_it; run: {self.tools}/python3 -m pip install markdown-it-py\n"
        with self.without("g++", "make"):
            self.assert_ends(self.setup_script("--report", **without_root()), 1, told)
            self.need_root()
            self.add_tool("apt-get", "exit 0")
            self.assert_ends(self.setup_script("--report"), 1, told)

    def test_ci_runs_the_notebook(self):
        self.add_tool("python3", "[[ $* != *nbclient* ]]")
        self.succeeded(self.setup_script())
        self.assert_ends(self.setup_script("--ci", **without_root()), 1, " -m pip install nbclient\n")

    def test_waits_while_another_apt_runs(self):
        process, calls = self.setup_while_apt_is_busy(3)
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual("setup: waiting for another apt-get to finish\nsetup: installing make\n", process.stdout)
        self.assertEqual(["update"] * 4 + ["install"], calls)

    def test_another_apt_that_runs_for_more_than_two_minutes(self):
        process, calls = self.setup_while_apt_is_busy(1000)
        self.assertEqual(1, process.returncode)
        self.assertIn("It is held by process 7", process.stderr)
        self.assertIn("setup: missing: make; run: ", process.stderr.splitlines()[-1])
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
        told = f"/nowhere/nvcc not found: CUDA 12.4 or later is needed; unset CUDACXX to take {self.tools}/nvcc\n"
        self.assert_ends(process, 1, told)
        (self.tools / "nvcc").rename(self.root / "my-nvcc")
        self.succeeded(self.setup_script(environment={"CUDACXX": str(self.root / "my-nvcc")}))

    def test_no_nvcc_and_no_packages(self):
        (self.tools / "make").unlink()
        self.add_tool("apt-get", f"echo \"$*\" >> '{self.root}/calls'")
        self.add_tool("sudo", "exit 1")
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
        self.add_tool("g++-12", "exit 0")
        self.succeeded(self.setup_script(environment={"CXX": "g++-12"}))
        self.assert_ends(self.setup_script(environment={"CXX": "g++-99"}), 1, "CXX=g++-99: g++-99 not found")

    def test_old_packages_are_not_installed(self):
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

    def test_what_does_not_run_is_not_taken_for_missing(self):
        for tool in ("cmake", "g++", "make", "python3"):
            with self.without(tool):
                self.add_tool(tool, "echo broken >&2; exit 127")
                self.assert_ends(self.setup_script(), 1, f"{self.tools}/{tool} does not run: broken\n")
        self.assert_ends(self.setup_script(environment={"TMPDIR": "/nowhere"}), 1, "/nowhere: no temporary files")

    def test_the_documentation_names_the_same_versions(self):
        needed = " ".join(
            (REPOSITORY / "docs" / "running.md").read_text().split("## What you need")[1].split("\n## ")[0].split()
        )
        for tool, name in {"nvcc": "CUDA", "cmake": "CMake", "g++": "g++", "python3": "Python"}.items():
            with self.without(tool):
                self.add_tool(tool, "echo release 0.1")
                oldest = re.search(rf"{re.escape(name)} ([0-9.]+) or later is needed", self.setup_script().stderr)[1]
            self.assertRegex(needed, rf"{re.escape(name)} {re.escape(oldest)} (or later|to)")

    def test_charts_are_optional(self):
        (self.tools / "apt-get").unlink(missing_ok=True)
        self.add_tool("python3", "[[ $* != *matplotlib* ]]")
        process = self.setup_script("--charts")
        self.assertEqual(0, process.returncode)
        if process.stderr:  # /usr/bin/python3 has none either
            self.assert_one_line(process.stderr, "charts will not be drawn", "pip install matplotlib")

    def test_testu01_is_optional(self):
        self.add_tool("dieharder", "exit 0")
        (self.tools / "apt-get").unlink(missing_ok=True)
        for candidate, parts in (
            ("(none)", ()),
            ("1.2.3+ds1-1", ("TestU01 will not be used", "missing: libtestu01-0-dev")),
        ):
            self.add_tool("apt-cache", f"echo 'libtestu01-0-dev:'; echo '  Candidate: {candidate}'")
            process = self.setup_script("--quality")
            self.assertEqual((0, bool(parts)), (process.returncode, bool(process.stderr)))
            for part in parts:
                self.assertIn(part, process.stderr)
        self.add_dpkg(["libtestu01-0-dev"])
        self.assertEqual("", self.setup_script("--quality").stderr)

    def need_root(self):
        if os.geteuid() != 0:
            self.skipTest("only root installs packages")


if __name__ == "__main__":
    unittest.main()
