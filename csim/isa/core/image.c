/* Program image files.
 *
 * Little endian throughout:
 *   8 bytes   magic "TANDEMIM"
 *   u32       version, 1
 *   u32       bytes of the body
 *   u32       CRC-32 (zlib's) of the body
 *   body      source: string
 *             u32 n, n instructions: u64;  n lines: u32
 *             u32 n, n kernels: string name; u32 entry, end, regs, shared, local, params,
 *               3 u32 reqntid; u32 m, m parameters: string name; u32 offset, size, align,
 *               u32 pointer, u32 space
 *             u32 n, n bytes of data
 *             u32 n, n relocations: u32 pc, u32 in_data
 *   a string is u32 length and that many bytes, none of them 0
 * The PTX of a program is not in its image.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "csim/isa/core/program_check.h"
#include "csim/util/input.h"

enum { VERSION = 1, MOST_BYTES = 1 << 30 };
static const char magic[8] = {'T', 'A', 'N', 'D', 'E', 'M', 'I', 'M'};

/* Writing ----------------------------------------------------------------------------------- */

struct out {
  uint8_t *bytes; /* NULL once memory has run out */
  size_t used, room;
  bool failed;
};

static void put_bytes(struct out *o, const void *bytes, size_t n) {
  if (o->failed || n == 0)
    return;
  if (o->used + n > o->room) {
    size_t room = (o->used + n) * 2;
    uint8_t *bigger = realloc(o->bytes, room);
    o->failed = bigger == NULL;
    if (o->failed)
      return;
    o->bytes = bigger;
    o->room = room;
  }
  memcpy(o->bytes + o->used, bytes, n);
  o->used += n;
}

static void put_u32(struct out *o, uint32_t v) {
  const uint8_t b[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
  put_bytes(o, b, sizeof b);
}

static void put_string(struct out *o, const char *s) {
  size_t n = s == NULL ? 0 : strlen(s);
  put_u32(o, (uint32_t)n);
  put_bytes(o, s, n);
}

static void put_kernel(struct out *o, const struct isa_kernel *k) {
  const uint32_t fields[] = {k->entry,        k->end,         k->regs,
                             k->shared_bytes, k->local_bytes, k->param_bytes,
                             k->reqntid[0],   k->reqntid[1],  k->reqntid[2]};
  put_string(o, k->name);
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    put_u32(o, fields[i]);
  put_u32(o, (uint32_t)k->nparams);
  for (size_t i = 0; i < k->nparams; i++) {
    const struct isa_param *q = &k->params[i];
    put_string(o, q->name);
    put_u32(o, q->offset);
    put_u32(o, q->size);
    put_u32(o, q->align);
    put_u32(o, q->pointer);
    put_u32(o, (uint32_t)q->space);
  }
}

static void put_body(struct out *o, const struct isa_program *p) {
  put_string(o, p->source);
  put_u32(o, (uint32_t)p->ncode);
  for (size_t i = 0; i < p->ncode; i++) {
    put_u32(o, (uint32_t)p->code[i]);
    put_u32(o, (uint32_t)(p->code[i] >> 32));
  }
  for (size_t i = 0; i < p->ncode; i++)
    put_u32(o, p->lines != NULL ? p->lines[i] : 0);
  put_u32(o, (uint32_t)p->nkernels);
  for (size_t i = 0; i < p->nkernels; i++)
    put_kernel(o, &p->kernels[i]);
  put_u32(o, (uint32_t)p->data_bytes);
  put_bytes(o, p->data, p->data_bytes);
  put_u32(o, (uint32_t)p->nrelocs);
  for (size_t i = 0; i < p->nrelocs; i++) {
    put_u32(o, p->relocs[i].pc);
    put_u32(o, p->relocs[i].in_data);
  }
}

int isa_image_write(const struct isa_program *p, FILE *to, struct tandem_error *err) {
  int rc = isa_program_check(p, err);
  if (rc != 0)
    return rc;
  struct out body = {0}, header = {0};
  put_body(&body, p);
  put_bytes(&header, magic, sizeof magic);
  put_u32(&header, VERSION);
  put_u32(&header, (uint32_t)body.used);
  put_u32(&header, (uint32_t)crc32_z(0, body.bytes, body.used));
  if (body.failed || header.failed)
    rc = tandem_fail(err, -ENOMEM, "out of memory for an image");
  else if (body.used > MOST_BYTES - 64)
    rc = tandem_fail(err, -EFBIG, "an image holds at most 1 GB");
  else if (fwrite(header.bytes, 1, header.used, to) != header.used ||
           fwrite(body.bytes, 1, body.used, to) != body.used)
    rc = tandem_fail(err, -EIO, "cannot write the image");
  free(body.bytes);
  free(header.bytes);
  return rc;
}

/* Reading ----------------------------------------------------------------------------------- */

struct in {
  const uint8_t *bytes;
  size_t left;
  int rc; /* the first failure; everything read after it is 0 */
};

static const uint8_t *take(struct in *in, size_t n) {
  if (in->rc != 0 || n > in->left) {
    in->rc = in->rc != 0 ? in->rc : -EINVAL;
    return NULL;
  }
  const uint8_t *bytes = in->bytes;
  in->bytes += n;
  in->left -= n;
  return bytes;
}

static uint32_t take_u32(struct in *in) {
  const uint8_t *b = take(in, 4);
  return b == NULL ? 0 : b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Memory for n elements, each of which takes at least min bytes of the file: a wrong count cannot
 * ask for more than the file could fill. */
static void *take_array(struct in *in, size_t n, size_t min, size_t element) {
  if (in->rc != 0 || n == 0)
    return NULL;
  if (n > in->left / min) {
    in->rc = -EINVAL;
    return NULL;
  }
  void *array = calloc(n, element);
  if (array == NULL)
    in->rc = -ENOMEM;
  return array;
}

static char *take_string(struct in *in) {
  size_t n = take_u32(in);
  const uint8_t *b = n > ISA_NAME_MAX ? NULL : take(in, n);
  if (b == NULL || memchr(b, 0, n) != NULL) {
    in->rc = in->rc != 0 ? in->rc : -EINVAL;
    return NULL;
  }
  char *s = malloc(n + 1);
  if (s == NULL) {
    in->rc = -ENOMEM;
    return NULL;
  }
  memcpy(s, b, n);
  s[n] = '\0';
  return s;
}

static uint32_t take_below(struct in *in, uint32_t limit) {
  uint32_t v = take_u32(in);
  if (v > limit && in->rc == 0)
    in->rc = -EINVAL;
  return v;
}

static void take_kernel(struct in *in, struct isa_kernel *k) {
  k->name = take_string(in);
  k->entry = (uint16_t)take_below(in, UINT16_MAX);
  k->end = (uint16_t)take_below(in, UINT16_MAX);
  k->regs = take_u32(in);
  k->shared_bytes = take_u32(in);
  k->local_bytes = take_u32(in);
  k->param_bytes = take_u32(in);
  for (unsigned i = 0; i < 3; i++)
    k->reqntid[i] = take_u32(in);
  size_t n = take_u32(in);
  k->params = take_array(in, n, 24, sizeof *k->params);
  k->nparams = k->params == NULL ? 0 : n;
  for (size_t i = 0; i < k->nparams; i++) {
    struct isa_param *q = &k->params[i];
    q->name = take_string(in);
    q->offset = take_u32(in);
    q->size = take_u32(in);
    q->align = take_u32(in);
    q->pointer = take_below(in, 1) != 0;
    q->space = (enum isa_space)take_below(in, ISA_SPACE_PARAM);
  }
}

static void take_code(struct in *in, struct isa_program *p) {
  size_t n = take_below(in, ISA_MAX_CODE);
  p->code = take_array(in, n, 12, sizeof *p->code);
  p->lines = take_array(in, n, 12, sizeof *p->lines);
  p->ncode = p->lines == NULL ? 0 : n;
  for (size_t i = 0; i < p->ncode; i++) {
    p->code[i] = take_u32(in);
    p->code[i] |= (uint64_t)take_u32(in) << 32;
  }
  for (size_t i = 0; i < p->ncode; i++)
    p->lines[i] = take_u32(in);
}

static void take_body(struct in *in, struct isa_program *p) {
  p->source = take_string(in);
  take_code(in, p);
  size_t n = take_u32(in);
  p->kernels = take_array(in, n, 44, sizeof *p->kernels);
  p->nkernels = p->kernels == NULL ? 0 : n;
  for (size_t i = 0; i < p->nkernels; i++)
    take_kernel(in, &p->kernels[i]);
  n = take_u32(in);
  p->data = take_array(in, n, 1, 1);
  p->data_bytes = p->data == NULL ? 0 : n;
  const uint8_t *data = take(in, p->data_bytes);
  if (p->data_bytes != 0 && data != NULL)
    memcpy(p->data, data, p->data_bytes);
  n = take_u32(in);
  p->relocs = take_array(in, n, 8, sizeof *p->relocs);
  p->nrelocs = p->relocs == NULL ? 0 : n;
  for (size_t i = 0; i < p->nrelocs; i++) {
    p->relocs[i].pc = take_u32(in);
    p->relocs[i].in_data = take_below(in, 1);
  }
  if (in->rc == 0 && in->left != 0)
    in->rc = -EINVAL;
}

static int check_named(const struct isa_program *p, const char *path, struct tandem_error *err) {
  struct tandem_error why;
  const int rc = isa_program_check(p, &why);
  return rc != 0 ? tandem_fail(err, rc, "%s: %s", path, why.text) : 0;
}

int isa_image_decode(const void *bytes, size_t n, const char *path, struct isa_program **result,
                     struct tandem_error *err) {
  struct in in = {.bytes = bytes, .left = n};
  const uint8_t *start = take(&in, sizeof magic);
  if (start == NULL || memcmp(start, magic, sizeof magic) != 0)
    return tandem_fail(err, -EINVAL, "%s: not a program image", path);
  uint32_t version = take_u32(&in), size = take_u32(&in), crc = take_u32(&in);
  if (in.rc == 0 && version != VERSION)
    return tandem_fail(err, -EINVAL, "%s: image version %u, this program reads %d; translate again",
                       path, version, VERSION);
  if (in.rc != 0 || size != in.left || crc != (uint32_t)crc32_z(0, in.bytes, in.left))
    return tandem_fail(err, -EINVAL, "%s: the image is damaged or cut off; translate again", path);
  struct isa_program *p = calloc(1, sizeof *p);
  if (p == NULL)
    return tandem_fail(err, -ENOMEM, "%s: out of memory", path);
  take_body(&in, p);
  int rc = in.rc;
  if (rc != 0)
    (void)tandem_fail(err, rc, rc == -ENOMEM ? "%s: out of memory" : "%s: malformed image", path);
  else
    rc = check_named(p, path, err);
  if (rc != 0)
    isa_program_free(p);
  else
    *result = p;
  return rc;
}

int isa_image_read(const char *path, struct isa_program **p, struct tandem_error *err) {
  char *bytes;
  size_t n;
  int rc = input_read(path, MOST_BYTES, &bytes, &n, err);
  if (rc == 0)
    rc = isa_image_decode(bytes, n, path, p, err);
  free(bytes);
  return rc;
}
