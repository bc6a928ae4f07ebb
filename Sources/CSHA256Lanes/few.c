#include "CSHA256Lanes.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "constants.h"

#define SHA __attribute__((target("sha,ssse3,sse4.1")))

enum { most_lanes = 4 };

// The state is kept as the instructions want it: words A, B, E, F in one register and C, D, G, H in another. `lanes` is
// a constant wherever this is inlined.
SHA static inline __attribute__((always_inline)) void draw(
    const int lanes, const uint8_t *blocks, uint32_t count, uint32_t *firsts, uint32_t *seconds
) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const uint32_t *const initial = allot_sha256_initial;
    const __m128i initial_abef =
        _mm_set_epi32((int)initial[0], (int)initial[1], (int)initial[4], (int)initial[5]);
    const __m128i initial_cdgh =
        _mm_set_epi32((int)initial[2], (int)initial[3], (int)initial[6], (int)initial[7]);
    __m128i abef[most_lanes], cdgh[most_lanes], schedule[most_lanes][4];
    for (int lane = 0; lane < lanes; lane++) {
        abef[lane] = initial_abef;
        cdgh[lane] = initial_cdgh;
    }
    // Four rounds at a time; the last four groups of message words are kept.
#pragma clang loop unroll(full)
    for (int step = 0; step < 16; step++) {
        const __m128i constant = _mm_load_si128((const __m128i *)(allot_sha256_constants + 4 * step));
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
        const uint64_t a = (uint32_t)_mm_extract_epi32(ab, 3), b = (uint32_t)_mm_extract_epi32(ab, 2);
        const uint64_t c = (uint32_t)_mm_extract_epi32(cd, 3);
        firsts[lane] = (uint32_t)((a << 8 | b >> 24) * count >> 40);
        seconds[lane] = (uint32_t)(((b & 0xffffff) << 16 | c >> 16) * count >> 40);
    }
}

SHA void allot_sha256_draw_few(
    const uint8_t *blocks, int32_t lanes, uint32_t count, uint32_t *firsts, uint32_t *seconds
) {
    // The instructions of two lanes leave gaps; from three on each further block takes its own time.
    switch (lanes) {
        case 2: draw(2, blocks, count, firsts, seconds); break;
        case 3: draw(3, blocks, count, firsts, seconds); break;
        default: draw(4, blocks, count, firsts, seconds);
    }
}

#else

void allot_sha256_draw_few(
    const uint8_t *blocks, int32_t lanes, uint32_t count, uint32_t *firsts, uint32_t *seconds
) {
    (void)blocks;
    (void)lanes;
    (void)count;
    (void)firsts;
    (void)seconds;
}

#endif
