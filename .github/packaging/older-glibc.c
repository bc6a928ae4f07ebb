// Replaces the functions that a library built with glibc 2.35 or later would need, by what 2.34 has: Red Hat Enterprise
// Linux 9 and Amazon Linux 2023 have that one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

// Hidden, so that others in the process, and these functions themselves, still get those of glibc.
#define HIDDEN __attribute__((visibility("hidden")))

// The square root of a sum of squares, of which 2.35 has a version without `matherr`.
#if defined(__x86_64__)
#define BASE "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define BASE "GLIBC_2.17"
#endif
#ifdef BASE
extern double base_hypot(double, double);
extern float base_hypotf(float, float);
__asm__(".symver base_hypot, hypot@" BASE);
__asm__(".symver base_hypotf, hypotf@" BASE);
HIDDEN double hypot(double x, double y) { return base_hypot(x, y); }
HIDDEN float hypotf(float x, float y) { return base_hypotf(x, y); }
#endif

#if defined(DLFO_STRUCT_HAS_EH_DBASE) && !DLFO_STRUCT_HAS_EH_DBASE
// Where an address has its table for unwinding, which libgcc asks for.
static int find(struct dl_phdr_info *object, size_t size, void *result) {
    struct dl_find_object *found = result;
    const uintptr_t address = (uintptr_t)found->dlfo_map_start;
    const ElfW(Phdr) *code = NULL, *table = NULL;
    (void)size;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type == PT_GNU_EH_FRAME) table = part;
        // One subtraction: what is below the start wraps around.
        if (part->p_type == PT_LOAD && address - (object->dlpi_addr + part->p_vaddr) < part->p_memsz) code = part;
    }
    if (code == NULL) return 0;
    if (table == NULL) return -1;
    found->dlfo_map_start = (void *)(object->dlpi_addr + code->p_vaddr);
    found->dlfo_map_end = (char *)found->dlfo_map_start + code->p_memsz;
    found->dlfo_eh_frame = (void *)(object->dlpi_addr + table->p_vaddr);
    return 1;
}

HIDDEN int _dl_find_object(void *address, struct dl_find_object *result) {
    *result = (struct dl_find_object){.dlfo_map_start = address};
    return dl_iterate_phdr(find, result) == 1 ? 0 : -1;
}
#endif
