#ifndef ALLOT_CSHA256LANES_H
#define ALLOT_CSHA256LANES_H

#include <stdint.h>

// Several SHA-256 compressions at once. One compression is a chain of instructions that each wait for the one before;
// independent ones keep the processor busy, or are one vector instruction together.

enum {
    // The most blocks that are hashed together.
    allot_sha256_most_lanes = 32,
    // The longest message that fits into one block with its padding.
    allot_sha256_one_block_length = 55
};

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

// Where a text starts, and its number of bytes.
typedef struct {
    int64_t start;
    int64_t length;
} allot_place;

// Writes blocks that are ready to be hashed: the prefix, a text, and SHA-256's padding. `prefix` has 64 bytes, with zeros
// after the first `prefix_length`. Returns the number of blocks; a text that does not fit with the prefix
// gets none, and its 64 bytes stay as they are. It may be called only where sixteen lanes may.
int32_t allot_sha256_fill(
    uint8_t *blocks, const uint8_t *prefix, int32_t prefix_length, const uint8_t *bytes, const allot_place *places,
    int32_t count);

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
