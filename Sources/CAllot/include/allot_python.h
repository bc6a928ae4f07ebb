// What the Python package needs in addition: structures in PyCapsules, and the columns of two batches as one.
#ifndef ALLOT_PYTHON_H
#define ALLOT_PYTHON_H

#include <stddef.h>

#include "arrow_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// PyCapsule_GetPointer of the running Python, which destructors read capsules with. Set it before the first capsule.
void allot_capsule_reader(void *(*get_pointer)(void *capsule, const char *name));
// An empty structure for a capsule, all zero; NULL if there is no memory.
void *allot_capsule_allocate(size_t size);
void allot_capsule_free(void *structure);
// Destructors of capsules named arrow_schema, arrow_array and arrow_array_stream: they release what no consumer has
// moved out, and free the structure. They run no code of Python, so that they may run while an exception is on its way
// and while the interpreter ends.
void allot_capsule_destroy_schema(void *capsule);
void allot_capsule_destroy_array(void *capsule);
void allot_capsule_destroy_stream(void *capsule);

#ifdef __cplusplus
}
#endif

#endif
