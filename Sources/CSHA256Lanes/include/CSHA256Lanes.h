#ifndef ALLOT_CSHA256LANES_H
#define ALLOT_CSHA256LANES_H

#include <stdint.h>

// Several SHA-256 compressions at once. One compression is a chain of instructions that each wait for the one before;
// independent ones keep the processor busy, or are one vector instruction together.

// The most blocks that are hashed together.
enum { allot_sha256_most_lanes = 32 };

// What this processor is able to do. A function may be called only where its number of blocks is not 0.
typedef struct {
    // The fewest blocks for which thirty-two lanes (x86-64: AVX-512 F and BW) take no more time than other ways, else 0.
    int32_t fewest_for_thirty_two;
    // The same for sixteen lanes.
    int32_t fewest_for_sixteen;
    // The fewest blocks for which up to four lanes (x86-64: SHA, SSSE3 and SSE4.1) take less time than one after another,
    // else 0.
    int32_t fewest_for_four;
} allot_sha256_lanes;

allot_sha256_lanes allot_sha256_available_lanes(void);

// Hashes messages of fewer than 56 bytes by SHA-256 (FIPS 180-4), each padded to one block, and draws two numbers below
// `count` from each digest: its first and its second 40 bits times `count` >> 40. `blocks` holds `lanes` (2 to 4), 16 or
// 32 x 64 bytes; `count` has at most 24 bits.
void allot_sha256_draw_few(
    const uint8_t *blocks, int32_t lanes, uint32_t count, uint32_t *firsts, uint32_t *seconds);
void allot_sha256_draw_sixteen(const uint8_t *blocks, uint32_t count, uint32_t *firsts, uint32_t *seconds);
void allot_sha256_draw_thirty_two(const uint8_t *blocks, uint32_t count, uint32_t *firsts, uint32_t *seconds);

// Starts to fetch what lies at an address, which need not be valid, into the first-level cache.
static inline void allot_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
