# Short names for the CMake presets, which are the one description of the build.
PRESETS = release debug clang asan ubsan tsan
JOBS ?= $(shell nproc)

.PHONY: all tests test install bench fuzz package site dist format clean $(PRESETS)

# What `make install` installs; tests, examples and benchmarks are built by `make tests`.
all:
	cmake --preset release $(CMAKE_ARGS) >/dev/null
	cmake --build --preset release -j $(JOBS) --target product

release debug clang:
	cmake --preset $@ $(CMAKE_ARGS) >/dev/null
	cmake --build --preset $@ -j $(JOBS)

tests: release

# All tests of the release build.
test: tests
	ctest --preset release -j $(JOBS)

# Build with a sanitizer and run all tests under it.
asan ubsan tsan:
	cmake --preset $@ $(CMAKE_ARGS) >/dev/null
	cmake --build --preset $@ -j $(JOBS)
	ctest --preset $@ -j $(JOBS)

# DESTDIR and PREFIX as usual.
install: all
	cmake --install build $(if $(PREFIX),--prefix $(PREFIX))

# Debian packages, checked and tried in a minimal system; as root.
package:
	test/packaging

# The static site of docs/, with the playground, in build/site.
site: all
	tools/site build build/site

# Everything that is published, in build/dist; Debian packages as root.
dist: all
	tools/dist build build/dist

# Every benchmark, or `make bench ONLY=import`.
bench: release
	bench/run $(ONLY)

# Every fuzz target for SECONDS each, JOBS at a time, or `make fuzz ONLY=wiki`.
fuzz:
	cmake --preset fuzz $(CMAKE_ARGS) >/dev/null
	cmake --build --preset fuzz -j $(JOBS)
	FUZZ_SECONDS=$(or $(SECONDS),60) JOBS=$(JOBS) fuzz/run $(ONLY)

format:
	clang-format -i $$(git ls-files '*.c' '*.h' '*.cc' '*.cu' '*.cuh')

clean:
	rm -rf build build-*
