# A thin front for CMake: what people type. `make help` lists it.
PREFIX ?= /usr/local
BUILD := build

.PHONY: build setup demo test test-all bench papers coverage install clean format help
.DEFAULT_GOAL := build

build: setup ## build the program: build/weir
	@[ -f $(BUILD)/build.ninja ] || cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build $(BUILD) --target products

setup: ## install what building needs (as root), or say what to install
	@tools/setup build

demo: build ## build, run the ten Jupiter scenarios under all strategies, and three real writers
	@$(BUILD)/weir demo --gantt $(BUILD)/demo.svg

test: ## run all tests but the slow ones, also under sanitizers and fuzzing
	@tools/setup build test
	@tools/run-tests

test-all: ## run all tests, the slow ones too
	@tools/setup build test
	@tools/run-tests --slow

bench: build ## events per second of every strategy
	@cmake --build $(BUILD) --target benches
	@for bench in $(BUILD)/bench_*; do [ ! -f "$$bench" ] || "$$bench" || exit 1; done

papers: build ## run the experiments of the papers, and write results/reproduction.md and findings.md
	@tools/papers "$$PWD/$(BUILD)/weir"

coverage: ## run the tests and print which part of each room they execute
	@tools/setup build test
	@tools/coverage

install: build ## install under PREFIX
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

clean: ## remove all build directories
	rm -rf build build-debug build-asan build-tsan build-coverage build-fuzz

format: ## lay out all C files with clang-format
	@find src include tests bench examples -name '*.[ch]' -exec clang-format -i {} +

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12
