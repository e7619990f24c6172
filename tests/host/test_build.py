#!/usr/bin/env python3
"""Tests of what decides how the suite is built: kernels/architectures.cmake, kernels/steps.cmake, bench/commit.cmake, the Makefile.

Machines are made of a fake nvidia-smi and nvcc on the PATH.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1]))

from kernel_files import BIN, REPOSITORY
from temporary import temporary_folder

CUDA_12_0 = (50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90)
CUDA_13_0 = (75, 80, 86, 87, 88, 89, 90, 100, 110, 103, 120, 121)

PROJECT = f"""cmake_minimum_required(VERSION 3.22)
project(machine NONE)
include({REPOSITORY}/kernels/architectures.cmake)
file(WRITE ${{CMAKE_BINARY_DIR}}/chosen "${{CMAKE_CUDA_ARCHITECTURES}}")
"""


class BuildTest(unittest.TestCase):
    """A temporary folder, and tools in it that come first on the PATH."""

    def setUp(self):
        self.root = temporary_folder(self.addCleanup).resolve()
        self.environment = os.environ | {"PATH": f"{self.root / 'tools'}:{os.environ['PATH']}"}
        self.environment.pop("CUDAARCHS", None)
        self.environment.pop("CUDACXX", None)

    def add_script(self, path, body):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def execute(self, *command, **options):
        options = {"capture_output": True, "text": True, "timeout": 60, "env": self.environment} | options
        return subprocess.run([str(part) for part in command], **options)

    def succeed(self, *command, **options):
        process = self.execute(*command, **options)
        self.assertEqual(0, process.returncode, process.stderr)
        return process.stdout


class ArchitecturesTest(BuildTest):
    def setUp(self):
        super().setUp()
        (self.root / "CMakeLists.txt").write_text(PROJECT)
        self.toolkit(CUDA_13_0)

    def toolkit(self, architectures):
        lines = "".join(f"compute_{architecture}\\n" for architecture in architectures)
        self.add_script("tools/nvcc", f"[ $1 = --list-gpu-arch ] && printf '{lines}'")

    def gpus(self, *capabilities):
        lines = "".join(f"{capability}\\n" for capability in capabilities)
        self.add_script("tools/nvidia-smi", f"printf '{lines}'" if lines else "echo 'No devices were found'; exit 6")

    def chosen(self, *options):
        """What is compiled for after one more configuration of the same build folder."""
        self.configured(*options)
        return (self.root / "build" / "chosen").read_text()

    def configured(self, *options):
        """What CMake says."""
        return self.succeed("cmake", "-S", self.root, "-B", self.root / "build", *options)

    def test_those_of_the_gpus(self):
        self.gpus("9.0", "8.6", "9.0")
        self.assertEqual({"90-real", "86-real"}, set(self.chosen().split(";")))

    def test_a_changed_gpu_is_noticed(self):
        for capability, architecture in (("8.0", "80-real"), ("9.0", "90-real"), ("12.0", "120-real")):
            self.gpus(capability)
            self.assertEqual(architecture, self.chosen())

    def test_those_found_last_where_no_gpu_answers(self):
        self.gpus("8.0")
        self.chosen()
        self.gpus()
        self.assertEqual("80-real", self.chosen())

    def test_one_architecture_without_a_gpu(self):
        self.gpus()
        self.assertEqual("90-real", self.chosen())

    def test_nvcc_is_asked_where_nvidia_smi_fails(self):
        """With the words of its failure; nvcc's own query gives numbers without a dot."""
        self.add_script("tools/__nvcc_device_query", "printf '86,89\\n'")
        mismatch = "Failed to initialize NVML: Driver/library version mismatch"
        for failing in ("exit 127", f"echo '{mismatch}'; exit 18"):
            self.add_script("tools/nvidia-smi", failing)
            self.assertEqual({"86-real", "89-real"}, set(self.chosen().split(";")))
        self.assertRegex(self.configured(), f"nvidia-smi .*18.*: {mismatch}")
        self.gpus("9.0")
        self.assertEqual("90-real", self.chosen())

    def test_wsl_has_nvidia_smi_in_a_folder_of_its_own(self):
        self.gpus()
        self.add_script("wsl/usr/lib/wsl/lib/nvidia-smi", "echo 8.9")
        self.assertEqual("89-real", self.chosen(f"-DCMAKE_FIND_ROOT_PATH={self.root / 'wsl'}"))

    def test_what_is_no_capability_is_told_and_not_taken_for_one(self):
        lost = "Unable to determine the device handle for GPU 0000:0A:00.0: GPU is lost.  Reboot the system; CUDA 8.0"
        self.add_script("tools/__nvcc_device_query", "echo no driver 75; exit 1")
        self.add_script("tools/nvidia-smi", f"echo '{lost}'; echo '[N/A]'; echo 8.6")
        self.assertEqual("86-real", self.chosen())
        self.assertIn("GPU is lost", self.configured())
        self.add_script("tools/nvidia-smi", r"echo '  9.0	'; echo 75; echo '8.9\'; echo 8.6")
        self.assertEqual({"90-real", "89-real", "86-real"}, set(self.chosen().split(";")))
        self.add_script("tools/nvidia-smi", f"yes '{lost}' | head -n 1000; echo 8.6")
        self.assertEqual(1, self.configured().count("GPU is lost"))
        shutil.rmtree(self.root / "build")
        self.add_script("tools/nvidia-smi", f"echo '{lost}'; exit 15")
        self.assertEqual("90-real", self.chosen())
        self.assertIn("no driver 75", self.configured())

    def test_the_nvcc_that_cmake_uses_is_asked(self):
        self.gpus("12.0")
        self.add_script("other/nvcc", "[ $1 = --list-gpu-arch ] && printf 'compute_90\\ncompute_120\\n'")
        self.toolkit(CUDA_12_0)
        self.assertEqual("120-real", self.chosen(f"-DCMAKE_CUDA_COMPILER={self.root / 'other' / 'nvcc'}"))
        self.gpus()
        (self.root / "other" / "__nvcc_device_query").write_text("#!/bin/sh\necho 90\n")
        (self.root / "other" / "__nvcc_device_query").chmod(0o755)
        self.assertEqual("90-real", self.chosen())

    def test_gpus_that_cannot_be_compiled_for_are_left_out(self):
        self.toolkit(CUDA_12_0)
        for others in (["7.0"], ["5.0", "6.1"], ["12.0"]):
            self.gpus("8.6", *others)
            self.assertEqual("86-real", self.chosen(), others)

    def test_the_users_choice_stays(self):
        self.gpus("9.0")
        self.assertEqual("75-real", self.chosen("-DCMAKE_CUDA_ARCHITECTURES=75-real"))
        self.assertEqual("75-real", self.chosen())

    def test_the_choice_in_the_environment_stays(self):
        self.gpus("9.0")
        self.chosen()
        self.environment["CUDAARCHS"] = "80-real"
        self.assertEqual("80-real", self.chosen())
        del self.environment["CUDAARCHS"]
        self.assertEqual("80-real", self.chosen())
        for wrong in ("abc", "33", "80 90", "90,"):
            self.environment["CUDAARCHS"] = wrong
            process = self.execute("cmake", "-S", self.root, "-B", self.root / "build")
            self.assertIn(f"CUDAARCHS={wrong}: expected architectures", " ".join(process.stderr.split()))
        self.environment["CUDAARCHS"] = "80-real;90a"
        self.assertEqual("80-real;90a", self.chosen())

    def test_every_one_that_the_toolkit_knows(self):
        for toolkit, expected in (
            (CUDA_12_0, "75-real;80-real;90-real"),
            (CUDA_13_0, "75-real;80-real;90-real;100-real;110-real;120-real"),
        ):
            self.toolkit(toolkit)
            self.assertEqual(expected, self.chosen("-DSUITE_EVERY_ARCHITECTURE=ON"))


class StepsTest(BuildTest):
    PROJECT = f"""cmake_minimum_required(VERSION 3.22)
project(ladder NONE)
include({REPOSITORY}/kernels/steps.cmake)
find_kernel_files(files ${{CMAKE_SOURCE_DIR}}/ladder)
foreach(file IN LISTS files)
    kernel_name(step version ${{file}})
    kernel_name(ablation ablation ${{file}})
    list(APPEND names "${{step}} ${{ablation}}")
endforeach()
file(WRITE ${{CMAKE_BINARY_DIR}}/found "${{names}}")
"""

    def setUp(self):
        super().setUp()
        (self.root / "CMakeLists.txt").write_text(self.PROJECT)
        (self.root / "ladder").mkdir()
        self.add_kernels("v10_streams.cu", "v02_blocks.cu", "v16t_tensor.cu", "v16_half.cu", "v15_bit_sliced.cuh")
        self.succeed("cmake", "-S", self.root, "-B", self.root / "build")

    def add_kernels(self, *names):
        for name in names:
            (self.root / "ladder" / name).touch()

    def found(self):
        return (self.root / "build" / "found").read_text().split(";")

    def test_files_give_names_in_step_order(self):
        self.assertEqual(["v2 v2_blocks", "v10 v10_streams", "v16 v16_half", "v16t v16t_tensor"], self.found())

    def test_the_next_build_finds_a_new_file(self):
        self.add_kernels("v08_lcg_register.cu")
        self.succeed("cmake", "--build", self.root / "build")
        self.assertIn("v8 v8_lcg_register", self.found())

    def test_another_name_is_refused(self):
        for name in ("v8_lcg.cu", "v08.cu", "lcg.cu", "v08_LCG.cu"):
            self.add_kernels(name)
            process = self.execute("cmake", self.root / "build")
            self.assertNotEqual(0, process.returncode, name)
            self.assertIn(f"{name}: kernel files need names like v08_two_words.cu", " ".join(process.stderr.split()))
            (self.root / "ladder" / name).unlink()


class PathTest(BuildTest):
    def test_one_that_cmake_cannot_take_is_told(self):
        for name in ("a#b", "a;b", 'a"b', "a[b]", "${HOME}", "$(HOME)"):
            with self.subTest(name):
                (self.root / name).mkdir()
                shutil.copy(REPOSITORY / "CMakeLists.txt", self.root / name)
                process = self.execute("cmake", "-S", self.root / name, "-B", self.root / name / "build")
                self.assertEqual(1, process.returncode)
                self.assertEqual(1, process.stderr.count("CMake Error"), process.stderr)
                self.assertIn("CMake builds nothing where a path has one of", " ".join(process.stderr.split()))


@unittest.skipUnless(shutil.which("git"), "this system has no git")
class CommitTest(BuildTest):
    def setUp(self):
        super().setUp()
        self.repository = self.root / "repository"
        self.repository.mkdir()
        self.git("init", "-q")
        (self.repository / "file").write_text("text\n")
        self.git("add", ".")
        self.git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "First")

    def git(self, *arguments):
        return self.succeed("git", "-C", self.repository, *arguments).strip()

    def recorded(self, folder, *options):
        header, script = self.root / "commit.hpp", REPOSITORY / "bench" / "commit.cmake"
        self.said = self.execute("cmake", f"-DSOURCE={folder}", f"-DOUTPUT={header}", *options, "-P", script).stderr
        self.assertNotIn("CMake Error", self.said)
        commit, dirty = (line.split()[-1] for line in header.read_text().splitlines())
        return commit.strip('"'), dirty

    def test_of_a_checkout(self):
        head = self.git("rev-parse", "HEAD")
        self.assertEqual((head, "false"), self.recorded(self.repository))
        (self.root / "link").symlink_to(self.repository)
        self.assertEqual((head, "false"), self.recorded(self.root / "link"))
        (self.repository / "file").write_text("other text\n")
        self.assertEqual((head, "true"), self.recorded(self.repository))

    def test_of_an_archive(self):
        self.assertEqual(("unknown", "true"), self.recorded(self.root))
        self.assertEqual("", self.said)

    def test_what_git_says_where_it_refuses_is_told(self):
        self.environment["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
        self.assertEqual(("unknown", "true"), self.recorded(self.repository))
        self.assertIn("The commit is not recorded: fatal: detected dubious ownership", self.said)

    def test_another_repository_that_the_environment_names(self):
        self.environment["GIT_DIR"] = str(self.repository / ".git")
        self.environment["GIT_WORK_TREE"] = str(self.root)
        self.assertEqual(("unknown", "true"), self.recorded(self.root))
        del self.environment["GIT_DIR"], self.environment["GIT_WORK_TREE"]
        head = self.git("rev-parse", "HEAD")
        self.environment["GIT_INDEX_FILE"] = str(self.root / "index")  # as in a hook
        self.assertEqual((head, "false"), self.recorded(self.repository))

    def test_a_clone_has_the_lines_of_bash_everywhere(self):
        for path in ("scripts/setup", "Makefile", "bench/host.cpp"):
            process = self.execute("git", "-C", REPOSITORY, "check-attr", "text", "eol", "--", path)
            if process.returncode != 0:
                self.skipTest(f"{REPOSITORY} is no clone")
            self.assertEqual([f"{path}: text: auto", f"{path}: eol: lf"], process.stdout.splitlines())

    def test_without_git(self):
        folders = os.environ["PATH"].replace(":", ";")
        self.assertEqual(("unknown", "true"), self.recorded(self.repository, f"-DCMAKE_IGNORE_PATH={folders}"))

    def test_of_an_archive_within_another_repository(self):
        (self.repository / "archive").mkdir()
        self.assertEqual(("unknown", "true"), self.recorded(self.repository / "archive"))


@unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc on the PATH")
class ConfigureTest(unittest.TestCase):
    """The suite itself, configured as a debug build."""

    @classmethod
    def setUpClass(cls):
        cls.build = temporary_folder(cls.addClassCleanup).resolve() / "build (1) & 'two'"
        cls.debug = cls.configure("-DSUITE_MPI=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")

    @classmethod
    def configure(cls, *options, **environment):
        command = ["cmake", "--preset", "debug", "-B", cls.build, *options]
        told = {"capture_output": True, "text": True, "timeout": 300}
        return subprocess.run(command, env=os.environ | environment, cwd=REPOSITORY, **told)

    def test_debug_preset(self):
        self.assertEqual(0, self.debug.returncode, self.debug.stderr)
        commands = json.loads((self.build / "compile_commands.json").read_text())
        tally = next(entry["command"] for entry in commands if entry["file"].endswith("bench/tally.cpp"))
        self.assertIn(" -g", tally)
        self.assertNotRegex(tally, " -O[1-3s]| -DNDEBUG")
        kernel = next(entry["command"] for entry in commands if entry["file"].endswith("v08_lcg_register.cu"))
        self.assertNotIn(" -G", kernel)  # device code is as fast as ever

    def test_flags_that_nvcc_takes_from_the_environment_are_recorded_and_compile_anew(self):
        commands, header = self.build / "compile_commands.json", self.build / "bench" / "generated" / "compiler.hpp"
        before = commands.read_text()
        self.assertNotIn("maxrregcount", header.read_text())
        process = self.configure(NVCC_PREPEND_FLAGS="-lineinfo", NVCC_APPEND_FLAGS="-maxrregcount=40")
        self.assertEqual(0, process.returncode, process.stderr)
        self.assertIn('"kernels: -lineinfo -maxrregcount=40 ', header.read_text())
        self.assertNotEqual(before, commands.read_text())
        self.assertEqual(0, self.configure().returncode)
        self.assertEqual(before, commands.read_text())

    def test_flags_of_fast_host_code_are_refused(self):
        for number, (options, environment) in enumerate((
            (["-DCMAKE_CXX_FLAGS=-O2 -ffast-math"], {}),
            (["-DCMAKE_CUDA_FLAGS=-Xcompiler -ffast-math"], {}),
            ([], {"CXXFLAGS": "-ffast-math"}),
            ([], {"CUDAFLAGS": "-Xcompiler -ffast-math"}),
            ([], {"NVCC_APPEND_FLAGS": "-Xcompiler=-ffast-math"}), ([], {"LDFLAGS": "-ffast-math"}),
        )):  # fmt: skip
            with self.subTest(options=options, **environment):
                process = self.configure("-B", self.build.parent / f"refused{number}", *options, **environment)
                self.assertNotEqual(0, process.returncode)
                self.assertIn("-ffast-math changes what host code computes", " ".join(process.stderr.split()))

    def test_what_cmake_would_ignore_later_is_refused(self):
        for name in ("CXX", "CXXFLAGS", "CUDACXX", "CUDAHOSTCXX", "CUDAFLAGS", "LDFLAGS"):
            errors = self.configure(**{name: "other"}).stderr
            self.assertIn(f'{name} is "other", but this folder was configured with ', " ".join(errors.split()))

    def test_another_compiler_in_the_place_of_the_first(self):
        for language in ("CXX", "CUDA"):
            (own,) = self.build.glob(f"CMakeFiles/*/CMake{language}Compiler.cmake")
            before = own.read_text()
            own.write_text(re.sub(rf'(CMAKE_{language}_COMPILER_VERSION) "[^"]*', r'\1 "98.7', before))
            self.assertIn(" was 98.7 when this folder was configured", " ".join(self.configure().stderr.split()))
            own.write_text(before)

    def test_a_path_with_any_character(self):
        command = ["cmake", "--build", self.build, "--target", "commit_header"]
        process = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual(0, process.returncode, process.stdout + process.stderr)
        self.assertTrue((self.build / "bench" / "generated" / "commit.hpp").exists())

    def test_only_what_is_built_is_installed(self):
        prefix = self.build.parent / "prefix"
        process = subprocess.run(["cmake", "--install", self.build, "--prefix", prefix], capture_output=True, text=True)
        self.assertEqual(0, process.returncode, process.stderr)
        self.assertFalse((prefix / "bin" / "pi_v8").exists())

    def test_mpi_that_is_asked_for_and_missing(self):
        process = self.configure("-DSUITE_MPI=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON")
        self.assertNotEqual(0, process.returncode)
        self.assertEqual(1, process.stderr.count("CMake Error"), process.stderr)
        told = "SUITE_MPI is ON, but no MPI is found. On Debian or Ubuntu: apt-get install libopenmpi-dev"
        self.assertIn(told, " ".join(process.stderr.split()))


@unittest.skipUnless((BIN / "cmake_install.cmake").exists(), f"{BIN} is no folder of a build")
class InstallTest(BuildTest):
    def test_every_program_is_installed(self):
        scripts = [
            own.read_text() for own in BIN.rglob("cmake_install.cmake") if "tests" not in own.relative_to(BIN).parts
        ]
        installed = {
            name
            for text in scripts
            for name in re.findall(r'/bin" TYPE (?:EXECUTABLE|PROGRAM)(?: OPTIONAL)? FILES "[^"]*/([^"/]+)"', text)
        }
        built = {path.name for path in BIN.iterdir() if path.is_file() and os.access(path, os.X_OK)}
        self.assertEqual(set(), {name for name in built - installed if not name.startswith("peer_")})

    def test_an_installed_program_runs(self):
        for folder in ("bench", "kernels/lecture"):  # all of them take a gigabyte
            self.succeed("cmake", "--install", BIN / folder, "--prefix", self.root / "prefix")
        programs = sorted(path.name for path in (self.root / "prefix" / "bin").iterdir())
        self.assertEqual(["lecture_k1", "lecture_k2", "lecture_k3", "suite_limits"], programs)
        for name in programs:
            self.assertRegex(self.succeed(self.root / "prefix" / "bin" / name, "--version"), rf"\A{name} \d")


class MakeTest(BuildTest):
    """The Makefile, among scripts that say how they were called."""

    def setUp(self):
        super().setUp()
        shutil.copy(REPOSITORY / "Makefile", self.root)
        self.add_script("tools/python3", 'shift; exec sh "$@"')  # after -B
        for name in ("MAKEFLAGS", "MAKELEVEL"):  # tests may themselves be run by make
            self.environment.pop(name, None)

    def test_what_a_goal_needs_is_asked_for_before_anything_is_done(self):
        self.add_script("scripts/setup", 'echo "setup $*"; exit 1')
        for goals, options in (
            (["test"], ""),
            (["bench-all"], "--charts"),
            (["test", "bench-all"], "--charts"),
            (["quality"], "--quality"),
            (["bench-arrays"], "--charts"),
            (["calls"], "--charts"),
        ):
            process = self.execute("make", *goals, cwd=self.root)
            self.assertNotEqual(0, process.returncode)
            self.assertEqual(f"setup {options}".split(), process.stdout.split(), goals)

    BENCH, CALLS = "bench --bin build --out results", "calls --bin build --out results --suite lecture"

    def add_bench(self, code=0):
        """The scripts that a benchmark takes, of which bench ends with this exit code."""
        self.add_script("tools/cmake", "")
        for name in ("setup", "bench", "calls", "render"):
            self.add_script(f"scripts/{name}", f'echo "{name}" $*; exit {code if name == "bench" else 0}')

    def test_what_runs_one_ladder(self):
        self.add_bench()
        self.assert_measures(f"{self.BENCH} --suite arrays", "bench-arrays")
        self.assert_measures(f"{self.BENCH} --suite pi v8 v11", "bench-pi", "STEPS=v8 v11")
        self.assert_measures(f"{self.BENCH} --suite normals --suite asian --suite lookback", "bench-options")

    def assert_measures(self, command, *goals):
        self.assertEqual(["setup --charts", command, "render"], self.lines(*goals))

    def test_a_first_configuration_that_fails_leaves_no_cache(self):
        self.add_bench()
        for end, is_there in (("false", False), ("true", True), ("false", True)):
            self.add_script("tools/cmake", f"mkdir -p build && touch build/CMakeCache.txt && {end}")
            self.execute("make", "check", cwd=self.root)
            self.assertEqual(is_there, (self.root / "build" / "CMakeCache.txt").exists())

    def test_clean_keeps_what_was_written_for_exercises(self):
        for path in ("build/exercise/pi_v8/a.cu", "build/bench/a.o", "build/pi_v8", "build-debug/a.o"):
            self.add_script(path, "")
        self.assertEqual(["build/exercise is kept"], self.lines("clean"))
        self.assertEqual(["exercise"], os.listdir(self.root / "build"))
        self.assertFalse((self.root / "build-debug").exists())
        self.assertNotEqual(0, self.execute("make", "clean", "BUILD=scripts", cwd=self.root).returncode)

    def test_scripts_that_lost_their_executable_bits(self):
        self.add_bench()
        for script in (self.root / "scripts").iterdir():
            script.chmod(0o644)
        self.assert_measures(self.BENCH, "bench-all")

    def test_another_build_folder(self):
        self.add_bench()
        self.add_script("tools/cmake", 'echo "cmake $*"')
        configured, built = self.lines("bench-pi", "BUILD=/elsewhere", "JOBS=3")[1:3]
        self.assertEqual("cmake --preset release -B /elsewhere", configured)
        self.assertEqual("cmake --build /elsewhere --parallel 3 --target steps_pi", built)
        self.assertIn("bench --bin /elsewhere --out results --suite pi", self.lines("bench-pi", "BUILD=/elsewhere"))

    def test_steps_of_one_ladder_are_built_alone(self):
        self.add_bench()
        self.add_script("tools/cmake", 'echo "cmake $*"')
        for name in ("pi/v16t_a.cu", "options/asian/a05_b.cu"):
            (self.root / "kernels" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / "kernels" / name).touch()
        for goal, step, target in (
            ("bench-pi", "v16t", "pi_v16t"), ("bench-asian", "a5", "options_a5"), ("bench-pi", "cpu", "steps_pi"), ("bench-pi", "v16t_x", "steps_pi"),
        ):  # fmt: skip
            built = self.lines(goal, f"STEPS={step}", "JOBS=1")
            self.assertIn(f"cmake --build build --parallel 1 --target {target}", built)
        for goal in ("bench-pi FULL=0", "bench-pi FULL=1", "profile SUITE=pi"):
            self.assert_refused("no step v99 of pi; there are v16t.", *goal.split(), "STEPS=v16t v99")
        self.assert_refused("no step v99 of pi lecture ", "bench-all", "STEPS=a5 v99")

    def test_a_mistyped_variable_or_value_is_refused(self):
        self.assert_refused("unknown variable QUIKC;", "bench-pi", "QUIKC=1", "STEPS=v8 v11")
        for words, told in {"profile SUITE=foo": "no ladder foo; it has pi ", "compare SUITE=foo": "no ladder foo",
                            "merit SUITE=graph": "no ladder graph", "bench-all SUITE=pi": "bench-pi measures one ladder",
                            "bench-pi JOBS=0": "JOBS=0: ", "test JOBS=-j": "JOBS=-j: "}.items():  # fmt: skip
            self.assert_refused(told, *words.split())
        self.add_bench()
        self.environment["QUIKC"] = "1"  # of another program
        self.assertIn("setup --charts", self.lines("bench-pi", "CUDA_VISIBLE_DEVICES=1", "CXX=g++"))

    def assert_refused(self, part, *goals):
        """make ends with one line, and did nothing."""
        process = self.execute("make", *goals, cwd=self.root)
        self.assertEqual((2, ""), (process.returncode, process.stdout))
        self.assertRegex(process.stderr, r"\A[^\n]+\n\Z")
        self.assertIn(part, process.stderr)

    def test_what_is_set_for_other_programs_is_not_passed_on(self):
        self.add_bench()
        names = ("PYTHONSAFEPATH", "MPLBACKEND", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
        self.add_script("scripts/bench", f"echo {''.join(f'${{{name}-}}' for name in names)}none")
        self.environment |= dict.fromkeys(names, "set")
        self.assertIn("none", self.lines("bench-all"))

    def test_how_much_a_benchmark_measures(self):
        self.add_bench()
        self.assert_measures(self.BENCH, "bench-all")
        self.assertEqual([f"{self.BENCH} --full", self.CALLS, "render"], self.lines("bench-all", "FULL=1")[1:])
        self.assertEqual(f"{self.BENCH} --full --suite lecture", self.lines("bench-lecture", "FULL=1")[1])
        self.assertIn(self.CALLS, self.lines("bench-lecture", "FULL=1"))
        self.assertNotIn(self.CALLS, self.lines("bench-pi", "FULL=1"))

        self.assertEqual(f"{self.BENCH} --quick", self.lines("bench-all", "QUICK=1")[-1])  # nothing to render
        (self.root / "build" / "quick").mkdir(parents=True)
        (self.root / "build" / "quick" / "README.md").touch()
        self.assertEqual("render --root build/quick/", self.lines("bench-all", "QUICK=1")[-1])
        self.assert_measures(self.BENCH, "bench-all", "FULL=0", "QUICK=0")
        self.environment |= {"FULL": "0", "QUICK": "0"}
        self.assert_measures(self.BENCH, "bench-all")

    def test_two_ladders_are_measured_one_after_the_other(self):
        self.add_bench()
        self.add_script("scripts/bench", "echo begin; sleep 0.3; echo end")
        for options, flags in ((["-j2"], ""), ([], "-j8")):
            self.environment["MAKEFLAGS"] = flags
            measured = [line for line in self.lines(*options, "bench-pi", "bench-mcls") if line in ("begin", "end")]
            self.assertEqual(["begin", "end"] * 2, measured)

    def test_the_build_uses_the_cores_that_it_may_use_whatever_openmp_is_told(self):
        self.add_bench()
        self.add_script("tools/cmake", 'echo "cmake $*"')
        self.environment |= {"OMP_NUM_THREADS": "1000", "OMP_THREAD_LIMIT": "1000"}
        jobs = f"--parallel {len(os.sched_getaffinity(0))} "
        self.assertIn(jobs, self.succeed("make", "bench-pi", cwd=self.root))
        self.environment |= {"OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1"}
        self.assertIn(jobs, self.succeed("make", "bench-pi", cwd=self.root))

    def test_a_step_to_take_away_or_to_find(self):
        self.add_bench()
        for name in ("single", "exercise"):
            self.add_script(f"scripts/{name}", f"echo {name} $*")
        self.assertEqual(["single v11"], self.lines("single", "STEP=v11"))
        self.assertEqual(["exercise --bin build v8"], self.lines("exercise", "STEP=v8"))
        self.assertEqual(["setup", "exercise --bin build --check v8"], self.lines("check", "STEP=v8"))

    def test_what_others_measured_is_rendered_after_a_failure(self):
        measuring = (
            "bench profile merit scaling seeds convergence calls run_peers quality capability ../tests/faults/run.py"
        )
        goals = "bench-all profile merit scaling seeds convergence sweep peers quality quality-gpu capability faults"
        for code, goal in itertools.product((1, 2, 130), goals.split()):
            self.add_bench()
            for name in measuring.split():
                self.add_script(f"scripts/{name}", f"echo measured; exit {code}")
            process = self.execute("make", goal, cwd=self.root)
            ran = ["measured"] * (6 if (goal, code) == ("peers", 1) else 1) + ["render"] * (code == 1)
            self.assertEqual((2, ran), (process.returncode, process.stdout.splitlines()[1:]), (goal, code))
            self.assertIn(f"] Error {code}", process.stderr)

    def test_help_lists_the_goals(self):
        text = self.succeed("make", "help", cwd=self.root)
        for part in ("  make bench-all ", "QUICK=1", "FULL=1", 'STEPS="v8 v11"', "  make help "):
            self.assertIn(part, text)
        self.assertNotIn("#", text)
        self.assertNotIn("PRESET", text)

    def test_what_measures_every_ladder_or_one(self):
        self.add_script("tools/cmake", "")
        for name in ("setup", "profile", "capability", "calls", "run_peers", "render"):
            self.add_script(f"scripts/{name}", f'echo "{name} $*"')
        folders = "--bin build --out results"
        self.assert_measures(f"profile {folders}", "profile")
        self.assert_measures(f"profile {folders} --suite asian", "profile", "SUITE=asian")
        some = f"{folders} --suite pi v8 v11"
        for goal in ("profile", "capability"):
            self.assertIn(f"{goal} {some}", self.lines(goal, "SUITE=pi", "STEPS=v8 v11"))
        for goal, suite in (("calls", "lecture"), ("sweep", "pi")):
            self.assert_measures(f"calls {folders} --suite {suite}", goal)
        peers = [f"run_peers {folders} --suite {own}" for own in "pi arrays normals asian lookback mcls".split()]
        self.assertEqual(["setup --charts", *peers, "render"], self.lines("peers"))

    def test_the_report_is_written_into_the_build_folder_and_nothing_is_built(self):
        for name in ("setup", "report"):
            self.add_script(f"scripts/{name}", f'echo "{name} $*"')
        self.assertEqual(["setup --report", "report --out build/report.html"], self.lines("report"))

    def lines(self, *goals):
        return [line.strip() for line in self.succeed("make", *goals, cwd=self.root).splitlines()]

    @unittest.skipUnless(shutil.which("git"), "this system has no git")
    def test_what_compare_compares_with(self):
        self.add_script("scripts/compare", 'echo "$1 $2"')
        self.add_results("nvidia-h200/pi", "nvidia-h200/mcls")
        stored, own = "results/nvidia-h200/pi.json", "results/own/pi.json"
        self.assertEqual([f"{stored} {stored}"], self.lines("compare"), "without git every file may be this machine's")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "First")
        fresh = self.execute("make", "compare", cwd=self.root)
        self.assertEqual((2, ""), (fresh.returncode, fresh.stdout))
        self.assertEqual(
            "compare: no result of this machine: make bench-pi measures one, RESULT=FILE names one",
            fresh.stderr.splitlines()[0],
        )
        self.assertEqual([f"HEAD:{stored} b.json"], self.lines("compare", "RESULT=b.json"))
        self.add_results("own/pi")
        self.assertEqual([f"HEAD:{stored} {own}"], self.lines("compare"))
        self.git("add", "results/own")
        self.assertEqual([f"HEAD:{stored} {own}"], self.lines("compare"))
        self.assertNotEqual(0, self.execute("make", "compare", "SUITE=mcls", cwd=self.root).returncode)
        self.add_results("own/mcls")
        of_mcls = "results/nvidia-h200/mcls.json results/own/mcls.json"
        self.assertEqual([f"HEAD:{of_mcls}"], self.lines("compare", "SUITE=mcls"))
        for tool in ("env", "head", "ls", "make", "nproc", "sh"):
            (self.root / "tools" / tool).symlink_to(shutil.which(tool))
        self.environment["PATH"] = str(self.root / "tools")  # without git
        self.assertEqual([of_mcls], self.lines("compare", "SUITE=mcls"))

    def add_results(self, *names):
        for name in names:
            path = self.root / "results" / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()

    def git(self, *arguments):
        self.succeed("git", "-C", self.root, *arguments)


if __name__ == "__main__":
    unittest.main()
