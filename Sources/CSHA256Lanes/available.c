#include "CSHA256Lanes.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdbool.h>

// Asks the processor itself, because `__builtin_cpu_supports` knows the SHA instructions only with libgcc 11 or newer.

// Whether the operating system keeps what XCR0's bits stand for when it switches threads.
static bool keeps(uint32_t bits) {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & bits) == bits;
}

allot_sha256_lanes allot_sha256_available_lanes(void) {
    enum { registers_of_avx512 = 0xe6 };  // The registers of SSE and AVX, the masks, and both parts of the new ones.
    allot_sha256_lanes lanes = {0, 0, 0};
    unsigned int a, b, c, d, features, extended;
    if (!__get_cpuid(1, &a, &b, &features, &d) || !__get_cpuid_count(7, 0, &a, &extended, &c, &d)) return lanes;
    if ((extended & bit_SHA) && (features & bit_SSSE3) && (features & bit_SSE4_1)) lanes.fewest_for_four = 2;
    if ((extended & bit_AVX512F) && (extended & bit_AVX512BW) && (features & bit_OSXSAVE) && keeps(registers_of_avx512)) {
        // Sixteen take as long as nine by the SHA instructions, or as three without these; thirty-two take as long as
        // sixteen and five more, or two.
        lanes.fewest_for_thirty_two = lanes.fewest_for_four ? 21 : 18;
        lanes.fewest_for_sixteen = lanes.fewest_for_four ? 9 : 4;
    }
    return lanes;
}

#else

// Elsewhere (arm64) the out-of-order core and libcrypto's code do well one block at a time.
allot_sha256_lanes allot_sha256_available_lanes(void) { return (allot_sha256_lanes){0, 0, 0}; }

#endif
