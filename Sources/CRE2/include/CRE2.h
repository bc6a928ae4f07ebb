#ifndef ALLOT_CRE2_H
#define ALLOT_CRE2_H

// A C face for the few calls of RE2 (C++) that Allot needs.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct allot_re2 allot_re2;

// Compiles a pattern within a memory budget in bytes. Never returns NULL; ask allot_re2_error for what is wrong.
allot_re2 *allot_re2_create(const uint8_t *pattern, size_t length, bool ignore_case, int64_t memory);
void allot_re2_destroy(allot_re2 *expression);

// The reason that the pattern is invalid, or NULL when it is valid. Owned by the expression.
const char *allot_re2_error(const allot_re2 *expression);

// Whether the pattern occurs anywhere in the text. Safe to call from several threads at once.
bool allot_re2_matches(const allot_re2 *expression, const uint8_t *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
