#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with a program's own `main` (LLVM's documentation, "Using libFuzzer as a library").
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*run)(const uint8_t *bytes, size_t count));
