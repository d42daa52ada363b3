/* Source lines of the PTX that clang writes. */
#ifndef TANDEM_OPENCL_LINES_H
#define TANDEM_OPENCL_LINES_H

#include "csim/isa/core/program.h"

struct opencl_lines {
  char *source;   /* names of the files, one a line of text, the OpenCL C file first */
  uint32_t *line; /* by line of the PTX, from 1 on: isa_line, 0 unknown */
  size_t n;
};
void opencl_lines_free(struct opencl_lines *l);

/* Takes clang's line tables out of a PTX: the text without them, and what they say.  `source` is
 * the file as clang got it, `path` as the user names it; lines of files in the folder `hidden`
 * count as those of the line before.  A new text for the caller to free; NULL if memory ends. */
char *opencl_take_lines(const char *ptx, const char *source, const char *path, const char *hidden,
                        struct opencl_lines *l);

/* Gives a program that was translated from that text the lines of its sources. */
int opencl_place_lines(struct isa_program *p, const struct opencl_lines *l);

/* Rewrites a message "NAME:LINE: ..." of the translation of that text, NAME being `name`: with the
 * source's line, or with `path` alone. */
void opencl_place_message(const struct opencl_lines *l, const char *name, const char *path,
                          struct tandem_error *err);

/* Writes the PTX with the source lines as comments.  0 or a negative errno. */
int opencl_write_ptx(const char *ptx, const struct opencl_lines *l, FILE *out);

#endif
