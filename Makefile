# Shortcuts for CMake and scripts/. What builds takes about 1 GB in build/ and some 20 CPU minutes: 11 for bench-all alone.
#   make bench-all   set up, build, measure every step of every ladder, update tables and charts: after the build about 8 minutes on an H200
#   make bench-all QUICK=1  a first look at the rates, stored and rendered in build/quick/ only: after the build about 2 minutes
#   make bench-all FULL=1   also ablations, further systems and whole calls: after the build up to an hour
#   make bench-pi    one ladder; also bench-lecture, bench-arrays, bench-normals, bench-asian, bench-lookback, bench-mcls, bench-graph; STEPS="v8 v11": these steps only
#   make bench-options  the ladders normals, asian and lookback
#   make             set up and build all programs; then each runs alone, such as build/pi_v8
#   make test        set up, build, run the tests (6 minutes on an H200); at the end it says what was skipped and why. TESTS='^programs': those only
#   make test-full   the same with all that takes minutes: long tests at full length, every step under NVIDIA's compute-sanitizer
#   make faults      plant faults in copies of the kernels and say which of them the verdicts find (some 14 minutes on an H200)
#   make profile     profile every step of every ladder with Nsight Compute; SUITE=pi: of one ladder; STEPS=v8: this step only
#   make sweep       measure time against total samples
#   make calls       measure the time of whole calls against samples
#   make sass        count the instructions of each kernel's hot loop, by class; SUITE=pi: of one ladder
#   make story-diff STEP=pi_v8  print its diff with the step that it builds on
#   make single STEP=v11  write the step as one file, build/single/pi_v11.cu, which nvcc compiles by the command in its first line (no GPU)
#   make exercise STEP=v8  write the step's file with its idea left out, into build/exercise/: v2, v3, v4, v8, v13 or v19
#   make check STEP=v8  build the step's program with what you wrote there, judge it, and compare its rate with the step's
#   make capability  compile every step for other GPUs: registers, spills, resident warps, and what refuses to run there (no GPU); SUITE, STEPS as for profile
#   make convergence measure the distance of the estimate from pi, up to 10^14 samples
#   make seeds       run some steps with 50 or 200 seeds each: whether their deviations are normal (some 14 minutes)
#   make merit       measure the time to an estimate of pi or a price of given precision, for every step; SUITE=pi: of one ladder
#   make scaling     measure weak and strong scaling over the GPUs of this machine
#   make peers       measure the same work in other packages and compilers, as far as they are installed; SUITE=pi: of one ladder
#   make compare     compare this machine's result with the stored result of an H200; SUITE=mcls: of another ladder than pi
#   make report      write build/report.html: every page and chart of results/ in one file, this machine's beside the stored ones
#   make quality     test the random numbers on the CPU: the suite's own tests, dieharder, and if they are installed TestU01 and PractRand
#   make quality-gpu    run the suite's own tests on the GPU, at full size
#   make quality-words  read as many words as steps draw, on the GPU: 25 minutes on an H200; after an interrupt it continues
#   make quality-full   run all of dieharder at full size, Crush, BigCrush and a longer PractRand, for hours; after an interrupt it continues
#   make clean       delete what was built, but not what you wrote for make exercise
#   make help        print this list
# A mistyped variable, and below a ladder or a step that is not there, end make before it does anything. Names with _ are other programs'.
OWN = PRESET BUILD TARGETS JOBS TESTS SUITE STEPS STEP FULL QUICK BASE RESULT
OTHERS = PATH SHELL CC CXX CUDACXX CUDAHOSTCXX CUDAARCHS CFLAGS CXXFLAGS CUDAFLAGS LDFLAGS
GIVEN := $(foreach name,$(.VARIABLES),$(if $(findstring _,$(name)),,$(if $(filter command,$(origin $(name))),$(name))))
UNKNOWN := $(filter-out $(OWN) $(OTHERS),$(GIVEN))
$(if $(UNKNOWN),$(error unknown variable $(UNKNOWN); known are $(OWN)))
PRESET ?= release
BUILD = $(if $(filter release,$(PRESET)),build,build-$(PRESET))
# The cores that make may use; nproc would otherwise obey what programs of OpenMP are told.
JOBS ?= $(shell env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
$(if $(shell [ "$(JOBS)" -gt 0 ] 2>/dev/null && echo yes),,$(error JOBS=$(JOBS): expected a number of 1 or more))
# FULL=0 and QUICK=0 are off.
override FULL := $(filter-out 0,$(FULL))
override QUICK := $(filter-out 0,$(QUICK))
# The default folder of the CUDA Toolkit, for shells without it on their PATH.
export PATH := $(PATH):/usr/local/cuda/bin
# Interpreters are named, for folders without executable bits, as of an archive or below noexec. What belongs to another
# program's Python or repository is not passed on.
PYTHON = python3 -B
GIT = env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE git
unexport PYTHONSAFEPATH MPLBACKEND GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# For compare: the committed result of an H200 (without git, the file), and the newest that is not committed (without git, of
# all), which is this machine's.
COMPARED = $(or $(SUITE),pi)
HAS_GIT = $(and $(wildcard .git),$(shell command -v git 2>/dev/null))
BASE ?= $(if $(HAS_GIT),HEAD:)results/nvidia-h200/$(COMPARED).json
OWN_RESULTS = $(if $(HAS_GIT),$(shell $(GIT) status --short --no-renames -uall 'results/*/$(COMPARED).json' | sed -n 's/^[^D][^D] //p'),$(wildcard results/*/$(COMPARED).json)) \
    $(wildcard $(BUILD)/results/*/$(COMPARED).json)
RESULT ?= $(if $(strip $(OWN_RESULTS)),$(shell ls -t $(OWN_RESULTS) | head -n 1))

# What CMake took from the environment stays in its cache: not of a first configuration that fails.
CONFIGURE = [ -e $(BUILD)/CMakeCache.txt ]; there=$$?; cmake --preset $(PRESET) -B $(BUILD) || \
    { [ $$there = 0 ] || rm -f $(BUILD)/CMakeCache.txt; exit 1; }

# Options of scripts/setup for the goals, so that it names everything missing first.
SETUP = $(if $(filter bench-% profile sweep convergence seeds merit scaling calls peers,$(MAKECMDGOALS)),--charts) \
        $(if $(filter quality quality-full,$(MAKECMDGOALS)),--quality)

LADDERS = pi lecture arrays normals asian lookback mcls graph
OPTIONS = normals asian lookback
WITH_PEERS = pi arrays $(OPTIONS) mcls
WITH_MERIT = pi asian lookback

# SUITE names ladders that the goal has.
ONE_OF := $(filter profile merit sass capability peers compare,$(MAKECMDGOALS))
CHOICE := $(if $(filter peers merit,$(ONE_OF)),$(WITH_$(if $(filter peers,$(ONE_OF)),PEERS,MERIT)),$(LADDERS))
$(if $(ONE_OF),$(if $(filter-out $(CHOICE),$(SUITE)),$(error SUITE: $(ONE_OF) has no ladder $(filter-out $(CHOICE),$(SUITE)); it has $(CHOICE))))
$(if $(ONE_OF),,$(if $(and $(SUITE),$(filter command,$(origin SUITE))),$(error SUITE: profile, merit, sass, capability, peers and compare take it; bench-pi measures one ladder)))

.PHONY: bench results docs kernels scripts tests build help test test-full bench-all bench-options $(LADDERS:%=bench-%) profile sweep convergence seeds peers merit scaling calls sass story-diff single exercise check capability compare report quality quality-gpu quality-words quality-full faults clean

MAKEFLAGS += --no-print-directory

# Two measurements at once would disturb each other.
.NOTPARALLEL:

# measure COMMAND runs a command that stores what it measures. Where a program fails (exit code 1), others are stored: what follows
# runs, all is rendered, and make fails at its end. Another code, as of an interrupt, ends all.
MEASURE = code=0; measure() { $(PYTHON) "$$@" || code=$$?; [ $$code -le 1 ] || exit $$code; };
FOLDERS = --bin $(BUILD) --out results
# Without a GPU a quick look has nothing to render.
QUICK_PAGE = $(BUILD)/quick/README.md
RENDER_QUICK = { [ ! -f $(QUICK_PAGE) ] || $(PYTHON) scripts/render --root $(dir $(QUICK_PAGE)); }
RENDER = $(if $(and $(QUICK),$(filter bench-%,$@)),$(RENDER_QUICK),$(PYTHON) scripts/render) && exit $$code

# What bench measures.
SUITES = $(addprefix --suite ,$(patsubst bench-%,%,$(subst bench-options,$(OPTIONS),$(filter-out bench-all,$@))))
EXTENT = $(if $(FULL),--full) $(if $(QUICK),--quick)

# What the goals need of the build: everything for tests, the steps that are measured, with FULL their ablations too, or all
# programs.
MEASURED = $(patsubst bench-%,steps_%,$(filter bench-%,$(subst bench-options,$(OPTIONS:%=bench-%),$(MAKECMDGOALS))))
STEPS_MEASURED = $(if $(filter-out bench-%,$(MAKECMDGOALS)),,$(if $(filter steps_all,$(MEASURED)),steps,$(MEASURED)))
# Of one ladder, only the steps in STEPS, if all are steps, and not the CPU or ablations.
ONE := $(if $(STEPS),$(if $(word 2,$(MAKECMDGOALS)),,$(filter $(LADDERS),$(MAKECMDGOALS:bench-%=%))))
AMONG := $(if $(STEPS),$(if $(ONE_OF),$(or $(SUITE),$(CHOICE)),$(filter $(LADDERS),$(patsubst bench-%,%,$(subst bench-options,$(OPTIONS),$(subst bench-all,$(LADDERS),$(MAKECMDGOALS)))))))
KNOWN := $(if $(AMONG),$(shell ls $(wildcard $(AMONG:%=kernels/%) $(AMONG:%=kernels/options/%)) | sed -n 's/^\([a-z]\)0*\([0-9][0-9]*t*\)_.*\.c[up]*$$/\1\2/p'))
ABSENT := $(if $(KNOWN),$(filter-out cpu cpu_% $(KNOWN) $(addsuffix _%,$(KNOWN)),$(STEPS)))
$(if $(ABSENT),$(error STEPS: no step $(ABSENT) of $(AMONG); there are $(KNOWN)))
CHOSEN = $(if $(or $(FULL),$(filter-out $(KNOWN),$(STEPS))),,$(if $(ONE),$(addprefix $(if $(filter $(ONE),$(OPTIONS)),options,$(ONE))_,$(STEPS))))
TARGETS = $(if $(filter test test-full,$(MAKECMDGOALS)),all,$(or $(strip $(CHOSEN)),$(strip $(STEPS_MEASURED) $(if $(FULL),$(STEPS_MEASURED:steps%=ablations%))),programs))

build:
	@bash scripts/setup $(SETUP)
	@$(CONFIGURE)
	@cmake --build $(BUILD) --parallel $(JOBS) --target $(TARGETS)

test-full: export SUITE_TESTS = full

test test-full: build
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error --parallel $(JOBS) $(TESTS:%=--tests-regex '%'); code=$$?; \
	    grep '^skipped: ' $(BUILD)/Testing/Temporary/LastTest.log | sort -u; exit $$code

bench-all bench-options $(LADDERS:%=bench-%): build
	@$(MEASURE) measure scripts/bench $(FOLDERS) $(EXTENT) $(SUITES) $(STEPS); \
	$(if $(and $(FULL),$(filter bench-all bench-lecture,$@)),measure scripts/calls $(FOLDERS) --suite lecture;) $(RENDER)

# Goals that are folders would else be up to date.
bench results docs kernels scripts tests:
	@echo "make: no goal $@; make help lists them" >&2; exit 2

help:
	@sed '/^[^#]/,$$d; s/^# \{0,1\}//' $(firstword $(MAKEFILE_LIST))

profile merit: build
	@$(MEASURE) measure scripts/$@ $(FOLDERS) $(SUITE:%=--suite %) $(STEPS); $(RENDER)

convergence seeds scaling: build
	@$(MEASURE) measure scripts/$@ $(FOLDERS); $(RENDER)

sweep calls: build
	@$(MEASURE) measure scripts/calls $(FOLDERS) --suite $(if $(filter sweep,$@),pi,lecture); $(RENDER)

peers: build
	@$(MEASURE) $(foreach suite,$(or $(SUITE),$(WITH_PEERS)),measure scripts/run_peers $(FOLDERS) --suite $(suite);) $(RENDER)

# Its tools are in the CUDA Toolkit, but not in every installation of it; the Python registry has them, too.
sass: build
	@command -v nvdisasm >/dev/null || [ -e $(BUILD)/cuda ] || { echo "nvdisasm: from the Python registry into $(BUILD)/cuda"; \
	    python3 -m pip install --quiet --target $(BUILD)/cuda nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm || true; }
	@$(PYTHON) scripts/sass --bin $(BUILD) $(SUITE:%=--suite %) $(STEPS)

story-diff single:
	@$(PYTHON) scripts/$(subst -,_,$@) $(STEP)

exercise:
	@$(PYTHON) scripts/exercise --bin $(BUILD) $(STEP)

check:
	@bash scripts/setup
	@$(CONFIGURE)
	@$(PYTHON) scripts/exercise --bin $(BUILD) --check $(STEP)

quality quality-full: build
	@$(MEASURE) measure scripts/quality $(FOLDERS) $(if $(findstring full,$@),--full); $(RENDER)

quality-gpu quality-words: build
	@$(MEASURE) measure scripts/quality $(FOLDERS) --$(subst quality-,,$@); $(RENDER)

# It builds the programs that it needs.
faults:
	@bash scripts/setup
	@$(CONFIGURE)
	@$(MEASURE) measure tests/faults/run.py --gpu $(FOLDERS) --jobs $(JOBS); $(RENDER)

# It compiles for itself what it needs.
capability:
	@bash scripts/setup
	@$(CONFIGURE)
	@$(MEASURE) measure scripts/$@ $(FOLDERS) $(SUITE:%=--suite %) $(STEPS); $(RENDER)

compare:
	@[ -n "$(RESULT)" ] || { echo "compare: no result of this machine: make bench-$(COMPARED) measures one, RESULT=FILE names one" >&2; exit 2; }
	@$(PYTHON) scripts/compare $(BASE) $(RESULT)

report:
	@bash scripts/setup --report
	@$(PYTHON) scripts/report --out $(BUILD)/report.html

# Of another folder only what CMake knows is deleted, as it may hold more.
clean:
	@$(if $(filter command,$(origin BUILD)),cmake --build $(BUILD) --target clean && rm $(BUILD)/CMakeCache.txt,\
	for folder in build build-debug; do [ ! -d $$folder ] || find $$folder/ -mindepth 1 -maxdepth 1 ! -name exercise -exec rm -rf {} +; done; \
	rmdir build build-debug 2>/dev/null; ls -d build*/exercise 2>/dev/null | sed 's/$$/ is kept/')
