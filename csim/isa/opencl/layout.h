/* Types in the text of LLVM IR, and where their members lie.  They are read wherever they stand. */
#ifndef TANDEM_OPENCL_LAYOUT_H
#define TANDEM_OPENCL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layout_reader {
  const char *ir, *at; /* the whole text; what is read next */
  unsigned pointer;    /* bytes of an address */
  unsigned depth;      /* nested types and values */
  uint64_t steps;      /* types read */
  const char *wrong;   /* the text that cannot be read; NULL: none, else nothing more is read */
};

enum layout_kind { LAYOUT_INTEGER, LAYOUT_REAL, LAYOUT_ADDRESS, LAYOUT_AGGREGATE };

struct layout {
  enum layout_kind kind;
  uint64_t bytes, room, align; /* of the value; with what follows it in an array */
  bool gap;                    /* a vector in it has more room than bytes */
};

enum { LAYOUT_DEEPEST = 64 }; /* nested types and values */

/* Notes that the text at r->at cannot be read. */
void layout_fail(struct layout_reader *r);
/* Skips a word if it is next; true if it was. */
bool layout_take(struct layout_reader *r, const char *word);
/* Skips a word, and fails if another text is next. */
void layout_expect(struct layout_reader *r, const char *word);
/* Reads a number. */
uint64_t layout_number(struct layout_reader *r);
/* Skips a name, which % or @ begins.  Returns its length. */
size_t layout_skip_name(struct layout_reader *r);
/* Goes to the text of the named type that is next.  Returns the text after the name. */
const char *layout_enter_name(struct layout_reader *r);

/* Reads a type. */
struct layout layout_read(struct layout_reader *r);
/* Reads the members of a structure and its closing bracket.  Stops before the member `until`, whose
 * offset is then the bytes. */
struct layout layout_structure(struct layout_reader *r, bool packed, uint64_t until);
/* Adds a member to the end of a structure.  Returns its offset. */
uint64_t layout_append(struct layout *whole, const struct layout *member, bool packed);

#endif
