#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
// Debian's place, for tools that do not ask pkg-config.
#include <postgresql/libpq-fe.h>
#endif

static inline void allot_ignore_notice(void *unused, const PGresult *notice) {
    (void)unused;
    (void)notice;
}

// Drops the notices of a server, which libpq would write to the standard error.
static inline void allot_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, allot_ignore_notice, 0);
}
