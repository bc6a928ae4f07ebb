#include "CRE2.h"

#include <re2/re2.h>

#include <string>

struct allot_re2 {
    RE2 expression;
    std::string error;

    allot_re2(const re2::StringPiece &pattern, const RE2::Options &options) : expression(pattern, options) {
        if (!expression.ok()) error = expression.error();
    }
};

extern "C" allot_re2 *allot_re2_create(const uint8_t *pattern, size_t length, bool ignore_case, int64_t memory) {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(!ignore_case);
    options.set_max_mem(memory);
    options.set_never_capture(true);
    return new allot_re2(re2::StringPiece(reinterpret_cast<const char *>(pattern), length), options);
}

extern "C" void allot_re2_destroy(allot_re2 *expression) { delete expression; }

extern "C" const char *allot_re2_error(const allot_re2 *expression) {
    return expression->expression.ok() ? nullptr : expression->error.c_str();
}

extern "C" bool allot_re2_matches(const allot_re2 *expression, const uint8_t *text, size_t length) {
    re2::StringPiece subject(reinterpret_cast<const char *>(text), length);
    return expression->expression.Match(subject, 0, length, RE2::UNANCHORED, nullptr, 0);
}
