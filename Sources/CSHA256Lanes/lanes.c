#include "CSHA256Lanes.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

enum { lanes = allot_sha256_lane_count };

static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

bool allot_sha256_has_lanes(void) {
    unsigned int a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

// The state is kept as the instructions want it: words A, B, E, F in one register and C, D, G, H in another.
__attribute__((target("sha,ssse3,sse4.1")))
void allot_sha256_four_blocks(const uint8_t *blocks, uint32_t *words) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i initial_abef = _mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c);
    const __m128i initial_cdgh = _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19);
    __m128i abef[lanes], cdgh[lanes], schedule[lanes][4];
    for (int lane = 0; lane < lanes; lane++) {
        abef[lane] = initial_abef;
        cdgh[lane] = initial_cdgh;
    }
    // Four rounds at a time; the last four groups of message words are kept.
#pragma clang loop unroll(full)
    for (int step = 0; step < 16; step++) {
        const __m128i constant = _mm_load_si128((const __m128i *)(constants + 4 * step));
#pragma clang loop unroll(full)
        for (int lane = 0; lane < lanes; lane++) {
            __m128i *const w = schedule[lane];
            __m128i next;
            if (step < 4) {
                const uint8_t *const bytes = blocks + 64 * lane + 16 * step;
                next = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), big_endian);
            } else {
                const __m128i previous = w[(step + 3) & 3];
                const __m128i sum = _mm_add_epi32(
                    _mm_sha256msg1_epu32(w[step & 3], w[(step + 1) & 3]),
                    _mm_alignr_epi8(previous, w[(step + 2) & 3], 4));
                next = _mm_sha256msg2_epu32(sum, previous);
            }
            w[step & 3] = next;
            const __m128i input = _mm_add_epi32(next, constant);
            cdgh[lane] = _mm_sha256rnds2_epu32(cdgh[lane], abef[lane], input);
            abef[lane] = _mm_sha256rnds2_epu32(abef[lane], cdgh[lane], _mm_shuffle_epi32(input, 0x0e));
        }
    }
    for (int lane = 0; lane < lanes; lane++) {
        const __m128i ab = _mm_add_epi32(abef[lane], initial_abef);
        const __m128i cd = _mm_add_epi32(cdgh[lane], initial_cdgh);
        words[4 * lane] = (uint32_t)_mm_extract_epi32(ab, 3);
        words[4 * lane + 1] = (uint32_t)_mm_extract_epi32(ab, 2);
        words[4 * lane + 2] = (uint32_t)_mm_extract_epi32(cd, 3);
        words[4 * lane + 3] = (uint32_t)_mm_extract_epi32(cd, 2);
    }
}

#else

// Elsewhere (arm64) the out-of-order core and libcrypto's code do well one block at a time.
bool allot_sha256_has_lanes(void) { return false; }

void allot_sha256_four_blocks(const uint8_t *blocks, uint32_t *words) {
    (void)blocks;
    (void)words;
}

#endif
