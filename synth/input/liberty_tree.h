/* A Liberty file as a tree: groups `name (words) { ... }`, attributes `name : value ;` and
 * `name (words) ;`. */
#ifndef TANDEM_SYNTH_INPUT_LIBERTY_TREE_H
#define TANDEM_SYNTH_INPUT_LIBERTY_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "csim/util/error.h"

/* A part of the file's text; of a quoted one what stands between the quotes. */
struct liberty_word {
  const char *at;
  size_t n;
  bool quoted;
};
enum liberty_kind { LIBERTY_VALUE, LIBERTY_WORDS, LIBERTY_GROUP };
struct liberty_node {
  struct liberty_word name;
  enum liberty_kind kind;
  unsigned line;
  size_t word, nwords; /* a value has one word, which may be an expression of several */
  size_t child, next;  /* nodes; 0: none */
};
struct liberty_tree {
  char *path; /* for messages */
  char *text;
  struct liberty_node *nodes; /* the first is the library */
  size_t nnodes;
  struct liberty_word *words;
  size_t nwords;
  bool loose; /* some tool of the flow does not read it as it is written */
};

/* Reads a text, of which the tree keeps a copy.  0, or a negative errno with the file's line. */
int liberty_tree_read(struct liberty_tree *t, const char *text, const char *path,
                      struct tandem_error *err);
void liberty_tree_free(struct liberty_tree *t);

/* Fails with the file, the line and what is wrong there. */
int liberty_wrong(const struct liberty_tree *t, unsigned line, struct tandem_error *err,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

bool liberty_is(const struct liberty_word *w, const char *text);
/* Where the name behind the one that stands at `from` begins within a word; its end: there is none.
 */
size_t liberty_names(const struct liberty_word *w, const char *from);
/* Copies a word, cut to fit. */
void liberty_copy(const struct liberty_word *w, char *to, size_t size);
/* A word that is one number.  False if it is not. */
bool liberty_number(const struct liberty_word *w, double *value);

/* The first child, the next of a node; NULL: there is none. */
const struct liberty_node *liberty_child(const struct liberty_tree *t,
                                         const struct liberty_node *n);
const struct liberty_node *liberty_next(const struct liberty_tree *t, const struct liberty_node *n);
/* The last child of this name that is a value; its word.  NULL: there is none. */
const struct liberty_word *liberty_value(const struct liberty_tree *t, const struct liberty_node *n,
                                         const char *name);
/* The first child of this name that is a list of words.  NULL: there is none. */
const struct liberty_node *liberty_words(const struct liberty_tree *t, const struct liberty_node *n,
                                         const char *name);
/* Word i of a node, of no characters if it has fewer. */
const struct liberty_word *liberty_word(const struct liberty_tree *t, const struct liberty_node *n,
                                        size_t i);
/* The numbers of an axis, which tools read in one word: index_N. */
bool liberty_axis(const struct liberty_node *n);
/* A group of this name. */
bool liberty_group(const struct liberty_node *n, const char *name);

#define LIBERTY_EACH(tree, node, in)                                                               \
  for (const struct liberty_node *node = liberty_child(tree, in); node != NULL;                    \
       node = liberty_next(tree, node))

#endif
