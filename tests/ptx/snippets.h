/* Snippets of PTX, each with what it computes: forms that clang does not produce for OpenCL C. */
#ifndef TANDEM_TEST_SNIPPETS_H
#define TANDEM_TEST_SNIPPETS_H

#include <stddef.h>
#include <stdint.h>

/* Results of a lane from its four inputs; r is all zero before. */
typedef void expect_fn(uint32_t lane, const uint32_t *a, uint32_t *r);
struct snippet {
  const char *name;
  const char *text; /* the whole kernel k(in, out): 16 bytes a thread of each */
  expect_fn *expect;
};
extern const struct snippet snippets[];
extern const size_t nsnippets;

#endif
