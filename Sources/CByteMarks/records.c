#include "CByteMarks.h"

#include <string.h>

#include "plain.h"

enum { block_size = 64 };

static size_t allot_least(size_t first, size_t second) { return first < second ? first : second; }

size_t allot_find_plain_records(
    const uint8_t *bytes, size_t start, size_t end, uint8_t delimiter, size_t columns, size_t limit, uint32_t *ends) {
    const size_t wanted = limit * columns;
    // The number of ends that are listed, and that of delimiters before the next line feed.
    size_t count = 0, delimiters = columns - 1;
    for (size_t offset = start; offset < end && count < wanted; offset += block_size) {
        const uint8_t *block = bytes + offset;
        uint8_t last[block_size];
        if (end - offset < block_size) {
            memset(last, ' ', sizeof last);
            memcpy(last, block, end - offset);
            block = last;
        }
        allot_plain_marks found = allot_find_plain_marks(block, delimiter);
        if (found.line_feeds == UINT64_MAX) break;
        for (; found.marks != 0; found.marks &= found.marks - 1) {
            const int place = __builtin_ctzll(found.marks);
            const bool is_line_feed = found.line_feeds >> place & 1;
            if (is_line_feed != (delimiters == 0)) return allot_least(count, wanted) / columns;
            delimiters = is_line_feed ? columns - 1 : delimiters - 1;
            ends[count++] = (uint32_t)(offset + (size_t)place);
        }
    }
    return allot_least(count, wanted) / columns;
}

#if defined(__x86_64__)

#include <immintrin.h>

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")))

bool allot_has_wide_blocks(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

// The bytes that come next, at most a block of them, and spaces after the last.
WIDE static inline __m512i allot_load(const uint8_t *bytes, size_t count) {
    const __mmask64 is_within = count < block_size ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
    return _mm512_mask_loadu_epi8(_mm512_set1_epi8(' '), is_within, bytes);
}

WIDE size_t allot_count_line_feeds_wide(const uint8_t *bytes, size_t count) {
    size_t found = 0;
    for (size_t offset = 0; offset < count; offset += block_size) {
        const __m512i block = allot_load(bytes + offset, count - offset);
        found += (size_t)__builtin_popcountll(_mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\n')));
    }
    return found;
}

static const uint8_t allot_places[block_size] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

// Lists the first 16 places of a block that starts at `offset`.
WIDE static inline void allot_list(__m512i places, size_t offset, uint32_t *ends) {
    const __m512i first = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places));
    _mm512_storeu_si512(ends, _mm512_add_epi32(first, _mm512_set1_epi32((int)offset)));
}

WIDE size_t allot_find_plain_records_wide(
    const uint8_t *bytes, size_t start, size_t end, uint8_t delimiter, size_t columns, size_t limit, uint32_t *ends) {
    uint64_t every = 0;
    for (size_t place = 0; place < block_size; place += columns) every |= (uint64_t)1 << place;
    const size_t wanted = limit * columns;
    size_t count = 0, delimiters = columns - 1;
    for (size_t offset = start; offset < end && count < wanted; offset += block_size) {
        const __m512i block = allot_load(bytes + offset, end - offset);
        const uint64_t line_feeds = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\n'));
        const uint64_t marks = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8((char)delimiter)) | line_feeds;
        const uint64_t controls = _mm512_cmple_epu8_mask(block, _mm512_set1_epi8('\r'));
        const uint64_t others = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('"')) | _mm512_movepi8_mask(block);
        // A mark may be a tab.
        if ((others | (controls & ~marks)) != 0) break;

        const __m512i places = _mm512_maskz_compress_epi8(marks, _mm512_loadu_si512(allot_places));
        const size_t marked = (size_t)__builtin_popcountll(marks);
        allot_list(places, offset, ends + count);
        if (marked > 16) {
            allot_list(_mm512_alignr_epi64(places, places, 2), offset, ends + count + 16);
            allot_list(_mm512_alignr_epi64(places, places, 4), offset, ends + count + 32);
            allot_list(_mm512_alignr_epi64(places, places, 6), offset, ends + count + 48);
        }

        // One bit for each mark: whether it is a line feed, and whether it must be one.
        const uint64_t is_line_feed = _pext_u64(line_feeds, marks);
        const uint64_t must_be = delimiters < block_size ? _bzhi_u64(every << delimiters, (unsigned)marked) : 0;
        if (is_line_feed != must_be) {
            count += (size_t)__builtin_ctzll(is_line_feed ^ must_be);
            break;
        }
        count += marked;
        delimiters = must_be != 0 ? columns - marked + (size_t)(63 - __builtin_clzll(must_be)) : delimiters - marked;
    }
    return allot_least(count, wanted) / columns;
}

#else

size_t allot_count_line_feeds_wide(const uint8_t *bytes, size_t count) {
    size_t found = 0;
    for (size_t offset = 0; offset < count; offset++) found += bytes[offset] == '\n';
    return found;
}

bool allot_has_wide_blocks(void) { return false; }

size_t allot_find_plain_records_wide(
    const uint8_t *bytes, size_t start, size_t end, uint8_t delimiter, size_t columns, size_t limit, uint32_t *ends) {
    return allot_find_plain_records(bytes, start, end, delimiter, columns, limit, ends);
}

#endif
