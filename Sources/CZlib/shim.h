#include <zlib.h>

// A macro, which Swift does not import.
static inline int allot_deflate_start(z_stream *stream, int level) {
    // 15 bits of window and 16 for the format of gzip.
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
