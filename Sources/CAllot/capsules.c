#include "allot_python.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef void *(*pointer_getter)(void *capsule, const char *name);

static _Atomic(pointer_getter) get_pointer;

void allot_capsule_reader(void *(*getter)(void *capsule, const char *name)) {
    atomic_store(&get_pointer, getter);
}

void *allot_capsule_allocate(size_t size) {
    return calloc(1, size);
}

void allot_capsule_free(void *structure) {
    free(structure);
}

// NULL if no program has set how to read capsules.
static void *content(void *capsule, const char *name) {
    pointer_getter getter = atomic_load(&get_pointer);
    return getter ? getter(capsule, name) : NULL;
}

void allot_capsule_destroy_schema(void *capsule) {
    struct ArrowSchema *schema = content(capsule, "arrow_schema");
    if (schema && schema->release) schema->release(schema);
    free(schema);
}

void allot_capsule_destroy_array(void *capsule) {
    struct ArrowArray *array = content(capsule, "arrow_array");
    if (array && array->release) array->release(array);
    free(array);
}

void allot_capsule_destroy_stream(void *capsule) {
    struct ArrowArrayStream *stream = content(capsule, "arrow_array_stream");
    if (stream && stream->release) stream->release(stream);
    free(stream);
}
