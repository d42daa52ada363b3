/* A module's tree printed back as tokens, and compared with the tokens that were read; texts with
 * one token too few or too many. */
#ifndef TANDEM_TEST_PRINT_H
#define TANDEM_TEST_PRINT_H

#include <stddef.h>
#include <stdint.h>

enum print_result { PRINT_SAME, PRINT_REFUSED, PRINT_DIFFERS };

/* Parses the text.  Where it is refused, `what` is the error, which must name a line of the text:
 * else the result is PRINT_DIFFERS, as for a tree that lacks a token. */
enum print_result print_check(const char *text, char *what, size_t bytes);

/* The text with a token deleted, doubled, or with another one in front of it, by the bits of
 * choice. The caller frees it; NULL for a text without tokens or that is no text. */
char *print_edit(const char *text, uint64_t choice);

#endif
