#include "allot.h"

// The layout of what crosses the interface, on every system with 64 bits. A change needs a new ALLOT_ABI_VERSION.
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(struct ArrowSchema) == 72, "as the Arrow specification has it");
_Static_assert(sizeof(struct ArrowArray) == 80, "as the Arrow specification has it");
_Static_assert(sizeof(struct ArrowArrayStream) == 40, "as the Arrow specification has it");
_Static_assert(sizeof(allot_file) == 24 && offsetof(allot_file, bytes) == 8 && offsetof(allot_file, length) == 16,
               "path, bytes, length");
#endif
_Static_assert(sizeof(allot_status) == 4, "32 bits");
