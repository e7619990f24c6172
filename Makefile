# A thin front door; everything real is in CMake and scripts/.
#   make bench-all   set up, build, run the ladder, regenerate the tables
#   make test        set up, build, run every test
PRESET ?= release
BUILD = $(if $(filter release,$(PRESET)),build,build-$(PRESET))
JOBS ?= $(shell nproc)
# Where the CUDA Toolkit installs itself, for shells that do not have it on their PATH.
export PATH := $(PATH):/usr/local/cuda/bin

.PHONY: build test bench-all clean

build:
	@scripts/setup
	@cmake --preset $(PRESET)
	@cmake --build $(BUILD) --parallel $(JOBS)

test: build
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

bench-all: build
	@cmake --build $(BUILD) --target bench-all

clean:
	rm -rf build build-debug build-ci
