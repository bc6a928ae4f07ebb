#ifndef ALLOT_PLAIN_H
#define ALLOT_PLAIN_H

#include <stdint.h>

typedef struct {
    uint64_t marks;
    uint64_t line_feeds;
} allot_plain_marks;

// Marks delimiters and line feeds in 64 bytes, and line feeds alone. All bits of both are set if a byte is a quote, a
// control character up to 13 that is not marked, or not ASCII; and if all bytes are line feeds, which is not worth telling
// apart.
allot_plain_marks allot_find_plain_marks(const uint8_t *bytes, uint8_t delimiter);

#endif
