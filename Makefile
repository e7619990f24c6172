# Shortcuts for CMake and scripts/.
#   make bench-all   set up, build, run the ladders, update tables and charts
#   make bench-pi    the same for one ladder; also bench-lecture, bench-arrays, bench-normals, bench-asian, bench-lookback, bench-mcls
#   make bench-options  the same for the ladders normals, asian and lookback
#   make test        set up, build, run the tests; at the end it says what was skipped and why
#   make test-full   the same with all that takes minutes: long tests at full length, NVIDIA's memory and race checkers
#   make profile     profile every step of every ladder with Nsight Compute; SUITE=pi: of one ladder
#   make sweep       measure time against total samples
#   make calls       measure the time of whole calls against samples
#   make sass        count the instructions of every sampling loop and the least time they take
#   make convergence measure the distance of the estimate from pi, up to 10^14 samples
#   make merit       measure the time to an estimate of pi or a price of given precision, for every step; SUITE=pi: of one ladder
#   make scaling     measure weak and strong scaling over the GPUs of this machine
#   make peers       measure the same work in other packages and compilers, as far as they are installed; SUITE=pi: of one ladder
#   make compare     compare this machine's result with the stored result of an H200
#   make quality     test the random numbers on the CPU: the suite's own tests, dieharder, and if they are installed TestU01 and PractRand
#   make quality-gpu    run the suite's own tests on the GPU, at full size
#   make quality-full   run all of dieharder at full size, Crush and a longer PractRand, for hours; after an interrupt it continues
PRESET ?= release
BUILD = $(if $(filter release,$(PRESET)),build,build-$(PRESET))
JOBS ?= $(shell nproc)
# The default folder of the CUDA Toolkit, for shells without it on their PATH.
export PATH := $(PATH):/usr/local/cuda/bin

# For compare: the committed result of an H200 (without git, the file), and the newest result, which after bench-all is
# this machine's.
BASE ?= $(if $(wildcard .git),HEAD:)results/nvidia-h200/pi.json
RESULT ?= $(shell ls -t results/*/pi.json | head -n 1)

# Options of scripts/setup for the goals, so that it names everything missing first.
SETUP = $(if $(filter bench-% profile sweep convergence merit scaling calls,$(MAKECMDGOALS)),--charts) \
        $(if $(filter quality quality-full,$(MAKECMDGOALS)),--quality)

MAKEFLAGS += --no-print-directory

LADDERS = pi lecture arrays normals asian lookback mcls
OPTIONS = normals asian lookback
WITH_PEERS = pi arrays $(OPTIONS) mcls

.PHONY: build test test-full bench-all bench-options $(LADDERS:%=bench-%) profile sweep convergence peers merit scaling calls sass compare quality quality-gpu quality-full clean

build:
	@scripts/setup $(SETUP)
	@cmake --preset $(PRESET)
	@cmake --build $(BUILD) --parallel $(JOBS)

test-full: export PI_TESTS = full

test test-full: build
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS); code=$$?; \
	    grep '^skipped: ' $(BUILD)/Testing/Temporary/LastTest.log | sort -u; exit $$code

bench-all: build
	@cmake --build $(BUILD) --target bench-all

bench-options: $(OPTIONS:%=bench-%)

$(LADDERS:%=bench-%): build
	@scripts/bench --bin $(BUILD) --out results --suite $(@:bench-%=%)
	$(if $(filter %-lecture,$@),@scripts/calls --bin $(BUILD) --out results)
	@scripts/render

profile merit: build
	@scripts/$@ --bin $(BUILD) --out results $(SUITE:%=--suite %)
	@scripts/render

sweep convergence scaling calls: build
	@scripts/$@ --bin $(BUILD) --out results
	@scripts/render

peers: build
	@$(foreach suite,$(or $(SUITE),$(WITH_PEERS)),scripts/run_peers --bin $(BUILD) --out results --suite $(suite) &&) true
	@scripts/render

sass: build
	@scripts/sass --bin $(BUILD)

quality quality-full: build
	@scripts/quality --bin $(BUILD) --out results $(if $(findstring full,$@),--full)
	@scripts/render

quality-gpu: build
	@scripts/quality --bin $(BUILD) --out results --gpu
	@scripts/render

compare:
	@scripts/compare $(BASE) $(RESULT)

clean:
	rm -rf build build-debug build-ci
