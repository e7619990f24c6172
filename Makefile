# A thin front door; everything real is in CMake and scripts/.
#   make bench-all   set up, build, run the ladder, regenerate tables and charts
#   make test        set up, build, run every test
#   make profile     why it is as fast as it is: Nsight Compute on every version
#   make sweep       time against total samples, for the chart
#   make sass        instructions of every sampling loop, and the floor they imply
#   make convergence distance of the estimate from pi, to 10^14 samples
#   make merit       seconds to an estimate of pi with a given standard deviation, on every version
#   make scaling     weak and strong scaling over the GPUs of this machine
#   make peers       the same estimate in PyTorch, CuPy, JAX, Triton and Thrust, where they are installed
#   make compare     this machine's result against the committed one of an H200
#   make quality     which random numbers can be trusted: dieharder and the suite's own tests, on the CPU
#   make quality-gpu    the suite's own tests on the GPU, at full size
#   make quality-full   all of dieharder at full size, for hours; can be interrupted and goes on where it was
PRESET ?= release
BUILD = $(if $(filter release,$(PRESET)),build,build-$(PRESET))
JOBS ?= $(shell nproc)
# Where the CUDA Toolkit installs itself, for shells that do not have it on their PATH.
export PATH := $(PATH):/usr/local/cuda/bin

# compare: the committed result of an H200 (without git, the one in the folder), and the result written last, which
# after bench-all is this machine's.
BASE ?= $(if $(wildcard .git),HEAD:)results/nvidia-h200/pi.json
RESULT ?= $(shell ls -t results/*/pi.json | head -n 1)

# What the goals need beyond the build, so that everything missing is named before anything is done.
SETUP = $(if $(filter bench-all profile sweep convergence merit scaling,$(MAKECMDGOALS)),--charts) \
        $(if $(filter quality quality-full,$(MAKECMDGOALS)),--quality)

MAKEFLAGS += --no-print-directory

.PHONY: build test bench-all profile sweep convergence peers merit scaling sass compare quality quality-gpu quality-full clean

build:
	@scripts/setup $(SETUP)
	@cmake --preset $(PRESET)
	@cmake --build $(BUILD) --parallel $(JOBS)

test: build
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

bench-all: build
	@cmake --build $(BUILD) --target bench-all

profile sweep convergence merit scaling: build
	@scripts/$@ --bin $(BUILD) --out results
	@scripts/render

peers: build
	@scripts/run_peers --bin $(BUILD) --out results
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
