#ifndef ALLOT_CBYTEMARKS_H
#define ALLOT_CBYTEMARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where some bytes stand among 64: one bit for each byte, the first one lowest. Swift's vectors have no instruction
// that gathers comparisons into bits; SSE2, which every x86-64 processor has, does.
//
// Not inline: in the loop that calls them, LLVM takes the gathering apart bit by bit.

typedef struct {
    uint64_t marks;
    bool has_high_bit;
} allot_field_marks;

// Marks delimiters, quotes and control characters up to carriage return (13), line feeds among them, in 64 bytes; and
// tells whether one of the 64 is not ASCII.
allot_field_marks allot_find_field_marks(const uint8_t *bytes, uint8_t delimiter);

// Marks quotes and line feeds in 64 bytes.
uint64_t allot_find_record_marks(const uint8_t *bytes);

// Finds plain records: of ASCII without quotes and control characters up to 13, `columns` fields (at least 1) with
// `delimiter`, which may be a tab, between them, and a line feed. The first starts at `start`; the search ends where a
// record is not plain, or shares a block of 64 bytes with a byte that no plain record has, or at `end`.
//
// Lists where fields end in `ends`, which has room for `limit` * `columns` + 64 offsets, below 2^32. Returns the number of
// records, at most `limit`; what is listed after them has no meaning.
size_t allot_find_plain_records(
    const uint8_t *bytes, size_t start, size_t end, uint8_t delimiter, size_t columns, size_t limit, uint32_t *ends);

// The same by AVX-512, in a third of the time. It may be called only where `allot_has_wide_blocks` is true.
size_t allot_find_plain_records_wide(
    const uint8_t *bytes, size_t start, size_t end, uint8_t delimiter, size_t columns, size_t limit, uint32_t *ends);

// The number of line feeds among `count` bytes, by AVX-512. It may be called only where `allot_has_wide_blocks` is true.
size_t allot_count_line_feeds_wide(const uint8_t *bytes, size_t count);

// Whether this processor, and the operating system, have AVX-512 with BW and VBMI2 (Intel since Ice Lake, AMD since Zen 4).
bool allot_has_wide_blocks(void);

#endif
