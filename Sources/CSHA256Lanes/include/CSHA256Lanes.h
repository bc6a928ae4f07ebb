#ifndef ALLOT_CSHA256LANES_H
#define ALLOT_CSHA256LANES_H

#include <stdbool.h>
#include <stdint.h>

// Several SHA-256 compressions at once. One compression is a chain of instructions that each wait for the one before;
// four independent ones keep the processor's SHA unit busy: about half the time a hash.

// The number of blocks that are hashed together.
enum { allot_sha256_lane_count = 4 };

// Whether this processor has the instructions (x86-64: SHA, SSSE3 and SSE4.1).
bool allot_sha256_has_lanes(void);

// SHA-256 (FIPS 180-4) of four messages, each padded to one block: `blocks` holds 4 x 64 bytes. Writes the first four
// words of each digest. Only where `allot_sha256_has_lanes()`.
void allot_sha256_four_blocks(const uint8_t *blocks, uint32_t *words);

// Starts to fetch what lies at an address, which need not be valid, into the first-level cache.
static inline void allot_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
