#define OPENSSL_SUPPRESS_DEPRECATED
#include "CBaseline.h"

#include <openssl/sha.h>
#include <stdatomic.h>
#include <string.h>

uint64_t baseline_compress(size_t count) {
    unsigned char block[64] = "checkout-button:00000000-0000-4000-8000-000000000000";
    SHA256_CTX context;
    uint64_t sum = 0;
    for (size_t index = 0; index < count; index++) {
        memcpy(block + 16, &index, sizeof index);
        SHA256_Init(&context);
        SHA256_Transform(&context, block);
        sum += context.h[0];
    }
    return sum;
}

uint64_t baseline_one_shot(size_t count) {
    unsigned char message[] = "checkout-button:00000000-0000-4000-8000-000000000000";
    unsigned char digest[32];
    uint64_t sum = 0;
    for (size_t index = 0; index < count; index++) {
        memcpy(message + 16, &index, sizeof index);
        SHA256(message, sizeof message - 1, digest);
        sum += digest[0];
    }
    return sum;
}

// glibc lets a program wrap its allocator by defining these names.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static _Atomic uint64_t allocations;

void *malloc(size_t size) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return __libc_realloc(pointer, size);
}

uint64_t baseline_allocation_count(void) {
    return atomic_load_explicit(&allocations, memory_order_relaxed);
}
