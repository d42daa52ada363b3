/* The hierarchy of an FST file: the block of type 6, one block of LZ4.
 *
 * A block of the file has a byte of type, its length without that byte (8 bytes, big-endian), and
 * contents; here these begin with the length of the expanded text.  The text is a list of entries:
 * scopes that begin (254) and end (255), attributes (252, 253), and variables (a type below 64). */
#include "harness/gpu/report/fst.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HIERARCHY = 6, MOST = 1 << 26, DEPTH = 64 };
enum { ATTRIBUTE = 252, ATTRIBUTE_ENDS, SCOPE, SCOPE_ENDS, VARIABLES = 64 };

struct bytes {
  const unsigned char *at, *end;
};

static uint64_t big_endian(const unsigned char *p) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8; i++)
    v = v << 8 | p[i];
  return v;
}

/* ---- LZ4 ---- */

/* A length of 15 goes on in bytes up to one that is not 255. */
static bool long_length(struct bytes *in, size_t *length) {
  unsigned char more = 255;
  for (bool goes_on = *length == 15; goes_on && more == 255 && in->at < in->end;)
    *length += more = *in->at++;
  return in->at <= in->end;
}

/* Expands a block of LZ4 to exactly `size` bytes. */
static bool expand(struct bytes in, unsigned char *out, size_t size) {
  size_t n = 0;
  while (in.at < in.end) {
    const unsigned token = *in.at++;
    size_t literals = token >> 4, match = token & 15;
    if (!long_length(&in, &literals) || literals > (size_t)(in.end - in.at) || literals > size - n)
      return false;
    memcpy(out + n, in.at, literals);
    in.at += literals;
    n += literals;
    if (in.end - in.at < 2) /* the last sequence has literals alone */
      break;
    const size_t back = in.at[0] | (size_t)in.at[1] << 8;
    in.at += 2;
    if (!long_length(&in, &match) || back == 0 || back > n || match + 4 > size - n)
      return false;
    for (match += 4; match != 0; match--, n++)
      out[n] = out[n - back];
  }
  return n == size;
}

/* ---- entries ---- */

/* Takes a text; NULL: it does not end. */
static const char *take_text(struct bytes *in) {
  const char *text = (const char *)in->at;
  const unsigned char *end = memchr(in->at, 0, (size_t)(in->end - in->at));
  if (end == NULL)
    return NULL;
  in->at = end + 1;
  return text;
}

/* Skips a number, 7 bits a byte. */
static void skip_number(struct bytes *in) {
  while (in->at < in->end && (*in->at++ & 0x80) != 0)
    continue;
}

struct path {
  size_t bytes; /* of all names so far */
  char text[4096];
  size_t length[DEPTH];
  unsigned depth;
};

static bool enter(struct path *p, const char *name) {
  if (name == NULL || p->depth == DEPTH)
    return false;
  const size_t n = strlen(p->text), more = strlen(name);
  if (n + more + 2 > sizeof p->text)
    return false;
  p->length[p->depth++] = n;
  if (n != 0)
    p->text[n] = '.';
  memcpy(p->text + n + (n != 0), name, more + 1);
  return true;
}

static bool leave(struct path *p) {
  if (p->depth == 0)
    return false;
  p->text[p->length[--p->depth]] = '\0';
  return true;
}

/* Adds "path.name[5:0]": the file has a blank before the range. */
static bool add(struct fst_names *names, struct path *p, const char *name) {
  if (name == NULL || p->bytes > MOST)
    return false;
  p->bytes += strlen(p->text) + strlen(name);
  char **more = realloc(names->name, (names->n + 1) * sizeof *more);
  if (more == NULL)
    return false;
  names->name = more;
  const char *blank = strchr(name, ' ');
  const size_t n = blank != NULL ? (size_t)(blank - name) : strlen(name);
  if (asprintf(&more[names->n], "%s.%.*s%s", p->text, (int)n, name,
               blank != NULL ? blank + 1 : "") < 0)
    return false;
  names->n++;
  return true;
}

static bool read_entries(struct bytes in, struct fst_names *names) {
  struct path path = {.depth = 0};
  bool good = true;
  while (good && in.at < in.end) {
    const unsigned tag = *in.at++;
    if (tag == SCOPE) {
      in.at += in.at < in.end; /* its kind */
      good = enter(&path, take_text(&in)) && take_text(&in) != NULL;
    } else if (tag == SCOPE_ENDS) {
      good = leave(&path);
    } else if (tag == ATTRIBUTE) {
      in.at += in.end - in.at >= 2 ? 2 : 0;
      good = take_text(&in) != NULL;
      skip_number(&in);
    } else if (tag < VARIABLES) {
      in.at += in.at < in.end; /* its direction */
      good = add(names, &path, take_text(&in));
      skip_number(&in); /* width, and the variable of which it is another name */
      skip_number(&in);
    } else {
      good = tag == ATTRIBUTE_ENDS;
    }
  }
  return good && path.depth == 0;
}

/* ---- the file ---- */

/* Finds the block; its contents are allocated.  0 or a negative errno. */
static int find_block(FILE *f, unsigned char **contents, size_t *size) {
  unsigned char head[9];
  while (fread(head, 1, sizeof head, f) == sizeof head) {
    const uint64_t length = big_endian(head + 1);
    if (length < 8 || length > MOST)
      return -EINVAL;
    if (head[0] != HIERARCHY) {
      if (fseek(f, (long)length - 8, SEEK_CUR) != 0)
        return -EINVAL;
      continue;
    }
    *size = length - 8;
    *contents = malloc(*size + 1);
    if (*contents == NULL)
      return -ENOMEM;
    return fread(*contents, 1, *size, f) == *size ? 0 : -EINVAL;
  }
  return -EINVAL;
}

int fst_names_read(const char *path, struct fst_names *names) {
  unsigned char *contents = NULL, *text = NULL;
  size_t size = 0;
  *names = (struct fst_names){NULL, 0};
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return -errno;
  int status = find_block(f, &contents, &size);
  fclose(f);
  const uint64_t expanded = status == 0 && size >= 8 ? big_endian(contents) : 0;
  if (status == 0 && (expanded == 0 || expanded > MOST))
    status = -EINVAL;
  if (status == 0 && (text = malloc(expanded)) == NULL)
    status = -ENOMEM;
  if (status == 0 && (!expand((struct bytes){contents + 8, contents + size}, text, expanded) ||
                      !read_entries((struct bytes){text, text + expanded}, names)))
    status = -EINVAL;
  free(contents);
  free(text);
  if (status != 0)
    fst_names_free(names);
  return status;
}

void fst_names_free(struct fst_names *names) {
  for (size_t i = 0; i < names->n; i++)
    free(names->name[i]);
  free(names->name);
  *names = (struct fst_names){NULL, 0};
}
