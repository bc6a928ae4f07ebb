#include "CSHA256Lanes.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "constants.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,tune=sapphirerapids")))
#define INLINE AVX512 static inline __attribute__((always_inline))

enum { lanes = 16, most_groups = allot_sha256_most_lanes / lanes };

// Each vector has one word of every message.
typedef __m512i vector;

INLINE vector all(uint32_t word) { return _mm512_set1_epi32((int)word); }
INLINE vector add(vector x, vector y) { return _mm512_add_epi32(x, y); }
INLINE vector xor3(vector x, vector y, vector z) { return _mm512_ternarylogic_epi32(x, y, z, 0x96); }

// FIPS 180-4, section 4.1.2.
INLINE vector choose(vector x, vector y, vector z) { return _mm512_ternarylogic_epi32(x, y, z, 0xca); }
INLINE vector majority(vector x, vector y, vector z) {
    return _mm512_ternarylogic_epi32(x, y, z, 0xe8);
}
INLINE vector big_sigma0(vector x) {
    return xor3(_mm512_ror_epi32(x, 2), _mm512_ror_epi32(x, 13), _mm512_ror_epi32(x, 22));
}
INLINE vector big_sigma1(vector x) {
    return xor3(_mm512_ror_epi32(x, 6), _mm512_ror_epi32(x, 11), _mm512_ror_epi32(x, 25));
}
INLINE vector small_sigma0(vector x) {
    return xor3(_mm512_ror_epi32(x, 7), _mm512_ror_epi32(x, 18), _mm512_srli_epi32(x, 3));
}
INLINE vector small_sigma1(vector x) {
    return xor3(_mm512_ror_epi32(x, 17), _mm512_ror_epi32(x, 19), _mm512_srli_epi32(x, 10));
}

// Round `index` of section 6.2.2. Instead of moving the eight words of the state, each round names them anew.
INLINE void compress(vector state[8], int index, vector sum) {
#define WORD(position) state[((position) - index) & 7]
    const vector e = WORD(4), a = WORD(0);
    const vector first =
        add(add(add(WORD(7), sum), choose(e, WORD(5), WORD(6))), big_sigma1(e));
    const vector second = add(big_sigma0(a), majority(a, WORD(1), WORD(2)));
    WORD(3) = add(WORD(3), first);
    WORD(7) = add(first, second);
#undef WORD
}

// Reads 16 messages of 16 big-endian words and turns them on their side.
INLINE void load(const uint8_t *blocks, vector words[16]) {
    const vector big_endian = _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    vector other[16];
#pragma clang loop unroll(full)
    for (int lane = 0; lane < lanes; lane++) {
        words[lane] = _mm512_shuffle_epi8(_mm512_loadu_si512(blocks + 64 * lane), big_endian);
    }
    // Pairs of words, then fours within each quarter, then the quarters.
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i += 2) {
        other[i] = _mm512_unpacklo_epi32(words[i], words[i + 1]);
        other[i + 1] = _mm512_unpackhi_epi32(words[i], words[i + 1]);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i += 4) {
        words[i] = _mm512_unpacklo_epi64(other[i], other[i + 2]);
        words[i + 1] = _mm512_unpackhi_epi64(other[i], other[i + 2]);
        words[i + 2] = _mm512_unpacklo_epi64(other[i + 1], other[i + 3]);
        words[i + 3] = _mm512_unpackhi_epi64(other[i + 1], other[i + 3]);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) {
        const vector even = _mm512_shuffle_i32x4(words[i], words[i + 4], 0x88);
        const vector odd = _mm512_shuffle_i32x4(words[i], words[i + 4], 0xdd);
        const vector later_even = _mm512_shuffle_i32x4(words[i + 8], words[i + 12], 0x88);
        const vector later_odd = _mm512_shuffle_i32x4(words[i + 8], words[i + 12], 0xdd);
        other[i] = _mm512_shuffle_i32x4(even, later_even, 0x88);
        other[i + 4] = _mm512_shuffle_i32x4(odd, later_odd, 0x88);
        other[i + 8] = _mm512_shuffle_i32x4(even, later_even, 0xdd);
        other[i + 12] = _mm512_shuffle_i32x4(odd, later_odd, 0xdd);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) words[i] = other[i];
}

// (upper * 2^8 + lower) * count >> 40 in every lane, where `lower` has 8 bits. As `upper * count` fills whole multiples
// of 2^8, it is (upper * count + (lower * count >> 8)) >> 32. The even and the odd lanes are multiplied in turn.
INLINE vector scale(vector upper, vector lower, vector count) {
    const vector rest = _mm512_srli_epi32(_mm512_mullo_epi32(lower, count), 8);
    const vector low = _mm512_set1_epi64(0xffffffff);
    const vector even = _mm512_add_epi64(_mm512_mul_epu32(upper, count), _mm512_and_si512(rest, low));
    const vector odd =
        _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64(upper, 32), count), _mm512_srli_epi64(rest, 32));
    return _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd);
}

// 16 rounds of each group, the first of which has the number `start`. Each word of the schedule is replaced by the one of
// 16 rounds later as soon as its round is over: that leaves much to do while a round waits for the one before.
INLINE void compress16(int groups, vector state[][8], vector schedule[][16], int start) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
        const vector constant = all(allot_sha256_constants[start + i]);
#pragma clang loop unroll(full)
        for (int group = 0; group < groups; group++) {
            vector *const words = schedule[group];
            compress(state[group], i, add(words[i], constant));
            if (start == 48) continue;
            words[i] = add(
                add(words[i], small_sigma0(words[(i + 1) & 15])),
                add(words[(i + 9) & 15], small_sigma1(words[(i + 14) & 15])));
        }
    }
}

// Hashes groups of 16 messages.
INLINE void draw(int groups, const uint8_t *blocks, uint32_t count, uint32_t *firsts, uint32_t *seconds) {
    const uint32_t *const initial = allot_sha256_initial;
    vector schedule[most_groups][16], state[most_groups][8];
#pragma clang loop unroll(full)
    for (int group = 0; group < groups; group++) {
        load(blocks + group * lanes * 64, schedule[group]);
#pragma clang loop unroll(full)
        for (int i = 0; i < 8; i++) state[group][i] = all(initial[i]);
    }
#pragma clang loop unroll(disable)
    for (int start = 0; start < 48; start += 16) compress16(groups, state, schedule, start);
    compress16(groups, state, schedule, 48);
#pragma clang loop unroll(full)
    for (int group = 0; group < groups; group++) {
        const vector a = add(state[group][0], all(initial[0])), b = add(state[group][1], all(initial[1]));
        const vector c = add(state[group][2], all(initial[2])), counts = all(count);
        const vector second = _mm512_or_si512(_mm512_slli_epi32(b, 8), _mm512_srli_epi32(c, 24));
        const vector second_rest = _mm512_and_si512(_mm512_srli_epi32(c, 16), all(0xff));
        _mm512_storeu_si512(firsts + group * lanes, scale(a, _mm512_srli_epi32(b, 24), counts));
        _mm512_storeu_si512(seconds + group * lanes, scale(second, second_rest, counts));
    }
}

AVX512 void allot_sha256_draw_sixteen(const uint8_t *blocks, uint32_t count, uint32_t *firsts, uint32_t *seconds) {
    draw(1, blocks, count, firsts, seconds);
}

AVX512 void allot_sha256_draw_thirty_two(const uint8_t *blocks, uint32_t count, uint32_t *firsts, uint32_t *seconds) {
    draw(2, blocks, count, firsts, seconds);
}

#else

void allot_sha256_draw_sixteen(const uint8_t *blocks, uint32_t count, uint32_t *firsts, uint32_t *seconds) {
    (void)blocks;
    (void)count;
    (void)firsts;
    (void)seconds;
}

void allot_sha256_draw_thirty_two(const uint8_t *blocks, uint32_t count, uint32_t *firsts, uint32_t *seconds) {
    (void)blocks;
    (void)count;
    (void)firsts;
    (void)seconds;
}

#endif
