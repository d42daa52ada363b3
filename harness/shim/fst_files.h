/* The memory that the writer of FST files maps: a map of a file that a full disk cut off, or of one
 * that gets its blocks with the first write, ends the process with SIGBUS.  Included before
 * Verilator's writer. */
#ifndef TANDEM_SHIM_FST_FILES_H
#define TANDEM_SHIM_FST_FILES_H

#include <sys/mman.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Does what mmap does.  A file that is shorter than its map, or for which the disk has no room,
 * gets memory in its place, and the flag of the thread is set. */
void *fst_map(void *address, size_t size, int protection, int flags, int fd, off_t offset);

/* The flag for what the calling thread writes from now on; NULL: none. */
void fst_failed_use(bool *failed);

#ifdef __cplusplus
}
#endif

#ifdef FST_FILES_REPLACE
#define mmap fst_map
#endif

#endif
