#ifndef ALLOT_BENCHMARKS_CBASELINE_H
#define ALLOT_BENCHMARKS_CBASELINE_H

#include <stddef.h>
#include <stdint.h>

// What hashing costs at least: SHA-256's compression function on one block after another. Returns a checksum.
uint64_t baseline_compress(size_t count);

// The obvious way, one call of SHA256() for each message of salt, ":" and ID. Returns a checksum.
uint64_t baseline_one_shot(size_t count);

// The number of calls of malloc, calloc and realloc in this process so far.
uint64_t baseline_allocation_count(void);

#endif
