// Within the library only.
#ifndef ALLOT_MEMORY_FILE_H
#define ALLOT_MEMORY_FILE_H

// Opens an empty file in memory, which programs that this process starts do not inherit. Returns -1, and sets errno, if
// there is none.
int open_memory_file(void);

#endif
