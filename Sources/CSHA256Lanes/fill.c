#include "CSHA256Lanes.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stddef.h>

__attribute__((target("avx512f,avx512bw"))) int32_t allot_sha256_fill(
    uint8_t *blocks, const uint8_t *prefix, int32_t prefix_length, const uint8_t *bytes, const allot_place *places,
    int32_t count) {
    const __m512i start = _mm512_loadu_si512(prefix), end = _mm512_set1_epi8((char)0x80);
    int32_t filled = 0;
    for (int32_t index = 0; index < count; index++) {
        const int64_t length = places[index].length;
        if (prefix_length + length > allot_sha256_one_block_length) continue;
        uint8_t *block = blocks + 64 * (size_t)index;
        const uint8_t *source = length ? bytes + places[index].start : prefix;  // Without texts there are no bytes.
        const uint64_t bits = __builtin_bswap64((uint64_t)(prefix_length + length) * 8);
        const __mmask64 rest = ~0ull << length;
        const __m512i text = _mm512_maskz_loadu_epi8(~rest, source);
        _mm512_storeu_si512(block, start);
        // The text and the byte that ends it.
        _mm512_mask_storeu_epi8(block + prefix_length, ~(rest << 1), _mm512_mask_mov_epi8(text, rest, end));
        __builtin_memcpy(block + 56, &bits, sizeof bits);
        filled++;
    }
    return filled;
}

#else

int32_t allot_sha256_fill(
    uint8_t *blocks, const uint8_t *prefix, int32_t prefix_length, const uint8_t *bytes, const allot_place *places,
    int32_t count) {
    (void)blocks;
    (void)prefix;
    (void)prefix_length;
    (void)bytes;
    (void)places;
    (void)count;
    return 0;
}

#endif
