/* A failing program as it is made smaller: a launch description and its code. */
#ifndef TANDEM_SHRINK_PROGRAM_H
#define TANDEM_SHRINK_PROGRAM_H

#include <jansson.h>

#include "csim/isa/core/program.h"
#include "harness/gpu/config.h"

/* A buffer's bytes at first that the description has no short form for. */
struct shrink_data {
  char *name; /* of the buffer */
  uint8_t *bytes;
  size_t size;
};

struct shrink_case {
  json_t *tree;                   /* `buffers` and `steps`; of a source also `options` */
  struct tandem_config config;    /* of the GPU and the run */
  struct isa_program *code;       /* NULL: the program is a source */
  char *source, *source_name;     /* the source's text, and the name of its file; NULL: none */
  const struct shrink_data *data; /* shared by all cases */
  size_t ndata;
};

bool case_copy(struct shrink_case *to, const struct shrink_case *from); /* false: out of memory */
void case_free(struct shrink_case *c);

/* The numbers of instructions, but for those that do nothing, of these, and of CTAs and threads of
 * all launches; of a source lines of text in the place of instructions. */
struct shrink_size {
  size_t instructions, nops;
  uint64_t ctas, threads;
};
struct shrink_size case_size(const struct shrink_case *c);
/* Writes "9 instructions, 500 nops, 1 CTA, 64 threads"; source: lines, not instructions. */
enum { SHRINK_SIZE = 128 };
void case_size_text(const struct shrink_size *size, bool source, char text[SHRINK_SIZE]);

#define CODE_NOP ((uint64_t)ISA_PT << 20)
/* code.c: a copy; a program without the instructions that are gone, whose branches lead to what
 * comes behind their targets.  NULL: out of memory, or a kernel is left without code. */
struct isa_program *code_copy(const struct isa_program *p);
struct isa_program *code_without(const struct isa_program *p, const bool *gone);

/* write.c: writes shrunk.yaml with program and data into a folder; head: lines of comment, ""
 * allowed.  0 or a negative errno. */
#define SHRINK_LAUNCH "shrunk.yaml"
#define SHRINK_CODE "shrunk.s"
int case_write(const struct shrink_case *c, const char *folder, const char *head,
               struct tandem_error *err);

#endif
