/* Files that the writer of FST files maps. */
#include "harness/shim/fst_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static thread_local bool *current;

void fst_failed_use(bool *failed) { current = failed; }

void *fst_map(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  struct stat st;
  const auto end = offset + static_cast<off_t>(size);
  if (fstat(fd, &st) == 0 && st.st_size >= end &&
      posix_fallocate(fd, offset, static_cast<off_t>(size)) == 0)
    return mmap(address, size, protection, flags, fd, offset);
  if (current)
    *current = true;
  return mmap(address, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
