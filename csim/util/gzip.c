/* Compressed files, by zlib. */
#include "csim/util/gzip.h"

#include <errno.h>
#include <stdint.h>
#include <zlib.h>

enum { ROOM = 1 << 16, GZIP = 16 /* added to the bits of the window */ };

int gzip_write(FILE *out, const void *bytes, size_t n) {
  unsigned char room[ROOM];
  z_stream z = {0};
  if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP, MAX_MEM_LEVEL,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return -ENOMEM;
  const unsigned char *from = bytes;
  int status = Z_OK;
  z.next_in = (unsigned char *)(uintptr_t)from;
  do {
    const size_t part = n < ROOM ? n : ROOM;
    if (z.avail_in == 0) {
      z.avail_in = (uInt)part;
      n -= part;
    }
    z.next_out = room;
    z.avail_out = ROOM;
    status = deflate(&z, n == 0 ? Z_FINISH : Z_NO_FLUSH);
    (void)fwrite(room, 1, ROOM - z.avail_out, out);
  } while (status == Z_OK);
  (void)deflateEnd(&z);
  return status != Z_STREAM_END || ferror(out) ? -EIO : 0;
}
