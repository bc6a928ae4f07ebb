#ifndef ALLOT_CBYTEMARKS_H
#define ALLOT_CBYTEMARKS_H

#include <stdbool.h>
#include <stdint.h>

// Where some bytes stand among 64: one bit for each byte, the first one lowest. Swift's vectors have no instruction
// that gathers comparisons into bits; SSE2, which every x86-64 processor has, does.
//
// Not inline: in the loop that calls them, LLVM takes the gathering apart bit by bit.

typedef struct {
    uint64_t marks;
    bool has_high_bit;
} allot_field_marks;

// Marks commas, quotes and control characters up to carriage return (13), line feeds among them, in 64 bytes; and tells
// whether one of the 64 is not ASCII.
allot_field_marks allot_find_field_marks(const uint8_t *bytes);

typedef struct {
    uint64_t marks;
    uint64_t line_feeds;
} allot_plain_marks;

// Marks commas and line feeds in 64 bytes, and line feeds alone. All bits of both are set if a byte is a quote, a
// control character up to 13 other than a line feed, or not ASCII.
allot_plain_marks allot_find_plain_marks(const uint8_t *bytes);

// Marks quotes and line feeds in 64 bytes.
uint64_t allot_find_record_marks(const uint8_t *bytes);

#endif
