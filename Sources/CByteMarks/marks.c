#include "CByteMarks.h"

#include "plain.h"

#if defined(__SSE2__)

#include <emmintrin.h>

static uint64_t allot_gather(__m128i a, __m128i b, __m128i c, __m128i d) {
    const uint64_t low = (uint32_t)_mm_movemask_epi8(a) | (uint32_t)_mm_movemask_epi8(b) << 16;
    const uint64_t high = (uint32_t)_mm_movemask_epi8(c) | (uint32_t)_mm_movemask_epi8(d) << 16;
    return low | high << 32;
}

static __m128i allot_is(__m128i bytes, char sought) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(sought)); }

static __m128i allot_is_field_mark(__m128i bytes, uint8_t delimiter) {
    const __m128i is_control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8('\r')), bytes);
    return _mm_or_si128(_mm_or_si128(allot_is(bytes, (char)delimiter), allot_is(bytes, '"')), is_control);
}

static __m128i allot_is_record_mark(__m128i bytes) {
    return _mm_or_si128(allot_is(bytes, '"'), allot_is(bytes, '\n'));
}

allot_field_marks allot_find_field_marks(const uint8_t *bytes, uint8_t delimiter) {
    const __m128i *const parts = (const __m128i *)bytes;
    const __m128i a = _mm_loadu_si128(parts), b = _mm_loadu_si128(parts + 1), c = _mm_loadu_si128(parts + 2),
                  d = _mm_loadu_si128(parts + 3);
    const __m128i all = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
    const allot_field_marks result = {
        allot_gather(
            allot_is_field_mark(a, delimiter), allot_is_field_mark(b, delimiter), allot_is_field_mark(c, delimiter),
            allot_is_field_mark(d, delimiter)),
        _mm_movemask_epi8(all) != 0};
    return result;
}

// The bytes that rule out a plain block: their top bits are set, others' are not. A mark may be a tab.
static __m128i allot_is_not_plain(__m128i bytes, __m128i is_mark) {
    const __m128i is_control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8('\r')), bytes);
    return _mm_or_si128(_mm_or_si128(allot_is(bytes, '"'), bytes), _mm_andnot_si128(is_mark, is_control));
}

allot_plain_marks allot_find_plain_marks(const uint8_t *bytes, uint8_t delimiter) {
    const __m128i *const parts = (const __m128i *)bytes;
    __m128i line_feeds[4], marks[4], others = _mm_setzero_si128();
    for (int index = 0; index < 4; index++) {
        const __m128i part = _mm_loadu_si128(parts + index);
        line_feeds[index] = allot_is(part, '\n');
        marks[index] = _mm_or_si128(allot_is(part, (char)delimiter), line_feeds[index]);
        others = _mm_or_si128(others, allot_is_not_plain(part, marks[index]));
    }
    if (_mm_movemask_epi8(others) != 0) return (allot_plain_marks){UINT64_MAX, UINT64_MAX};
    return (allot_plain_marks){
        allot_gather(marks[0], marks[1], marks[2], marks[3]),
        allot_gather(line_feeds[0], line_feeds[1], line_feeds[2], line_feeds[3])};
}

uint64_t allot_find_record_marks(const uint8_t *bytes) {
    const __m128i *const parts = (const __m128i *)bytes;
    return allot_gather(
        allot_is_record_mark(_mm_loadu_si128(parts)), allot_is_record_mark(_mm_loadu_si128(parts + 1)),
        allot_is_record_mark(_mm_loadu_si128(parts + 2)), allot_is_record_mark(_mm_loadu_si128(parts + 3)));
}

#else

#include <string.h>

// Eight bytes at a time in 64-bit words ("SIMD within a register"). Tests set the top bit of each byte that is *not*
// sought; no sum leaves its byte, so that every mark is exact. Little-endian, as all processors that Swift on Linux
// runs on.

static uint64_t allot_repeated(uint8_t byte) { return byte * 0x0101010101010101u; }

static uint64_t allot_is_not(uint64_t word, uint8_t sought) {
    return (word ^ allot_repeated(sought)) + allot_repeated(0x7f);
}

// One bit for each ASCII byte of a word that a test did not rule out.
static uint64_t allot_gather(uint64_t ruled_out, uint64_t word) {
    // The multiplication brings the eight bits together in the topmost byte.
    return (((~(ruled_out | word) & allot_repeated(0x80)) >> 7) * 0x0102040810204080u) >> 56;
}

allot_field_marks allot_find_field_marks(const uint8_t *bytes, uint8_t delimiter) {
    uint64_t words[8], marks = 0, all = 0;
    memcpy(words, bytes, sizeof words);
    for (int index = 0; index < 8; index++) {
        const uint64_t word = words[index] & allot_repeated(0x7f);
        const uint64_t is_no_control = word + allot_repeated(0x7f - '\r');
        marks |= allot_gather(allot_is_not(word, delimiter) & allot_is_not(word, '"') & is_no_control, words[index])
            << 8 * index;
        all |= words[index];
    }
    const allot_field_marks result = {marks, (all & allot_repeated(0x80)) != 0};
    return result;
}

allot_plain_marks allot_find_plain_marks(const uint8_t *bytes, uint8_t delimiter) {
    uint64_t words[8], others = 0;
    memcpy(words, bytes, sizeof words);
    allot_plain_marks result = {0, 0};
    for (int index = 0; index < 8; index++) {
        const uint64_t word = words[index] & allot_repeated(0x7f);
        const uint64_t is_no_line_feed = allot_is_not(word, '\n');
        const uint64_t is_no_mark = allot_is_not(word, delimiter) & is_no_line_feed;
        const uint64_t is_no_control = word + allot_repeated(0x7f - '\r');
        result.marks |= allot_gather(is_no_mark, words[index]) << 8 * index;
        result.line_feeds |= allot_gather(is_no_line_feed, words[index]) << 8 * index;
        // A mark may be a tab.
        others |= words[index] | ~allot_is_not(word, '"') | (~is_no_control & is_no_mark);
    }
    if (others & allot_repeated(0x80)) return (allot_plain_marks){UINT64_MAX, UINT64_MAX};
    return result;
}

uint64_t allot_find_record_marks(const uint8_t *bytes) {
    uint64_t words[8], marks = 0;
    memcpy(words, bytes, sizeof words);
    for (int index = 0; index < 8; index++) {
        const uint64_t word = words[index] & allot_repeated(0x7f);
        marks |= allot_gather(allot_is_not(word, '"') & allot_is_not(word, '\n'), words[index]) << 8 * index;
    }
    return marks;
}

#endif
