/* The arena of a translation, growing arrays in it, and errors that end the translation. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/ptx/base/base.h"

struct ptx_chunk {
  struct ptx_chunk *next;
  size_t used, size;
  _Alignas(16) unsigned char bytes[];
};

enum { PTX_CHUNK = 256 * 1024 };

void *ptx_alloc(struct ptx *x, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  struct ptx_chunk *c = x->chunks;
  if (!c || c->size - c->used < bytes) {
    size_t size = bytes > PTX_CHUNK ? bytes : PTX_CHUNK;
    c = calloc(1, sizeof *c + size);
    if (!c)
      ptx_fail_code(x, -ENOMEM, "out of memory");
    c->size = size;
    c->next = x->chunks;
    x->chunks = c;
  }
  void *p = c->bytes + c->used;
  c->used += bytes;
  return p;
}

void ptx_release(struct ptx *x) {
  while (x->chunks) {
    struct ptx_chunk *c = x->chunks;
    x->chunks = c->next;
    free(c);
  }
}

void *ptx_grow(struct ptx *x, void *old, size_t count, size_t *cap, size_t size) {
  size_t want = *cap ? *cap * 2 : 16;
  void *p = ptx_alloc(x, want * size);
  if (count)
    memcpy(p, old, count * size);
  *cap = want;
  return p;
}

void ptx_fail(struct ptx *x, unsigned line, const char *format, ...) {
  char text[800];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  x->status = tandem_fail(x->err, -EINVAL, "%s:%u: %s", x->file, line, text);
  longjmp(x->unwind, 1);
}

void ptx_fail_code(struct ptx *x, int status, const char *text) {
  x->status = tandem_fail(x->err, status, "%s: %s", x->file, text);
  longjmp(x->unwind, 1);
}
