/* Input files, read whole: of any kind but folders, up to a limit, and none that is being written.
 */
#ifndef TANDEM_UTIL_INPUT_H
#define TANDEM_UTIL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "csim/util/error.h"

/* Texts that people write, or programs for them. */
#define INPUT_TEXT_MOST ((size_t)256 << 20)

/* Reads at most so many bytes; more are an error.  *bytes gets them and a 0 behind them, allocated,
 * NULL after an error.  0 or a negative errno. */
int input_read(const char *path, size_t most, char **bytes, size_t *n, struct tandem_error *err);

/* For a program that writes nothing anew that it has read: from now on output_claim refuses files
 * that input_read has read. */
void input_keep(void);

/* Returns whether the file is one of the last 256 regular files that input_read has read since
 * input_keep, and unchanged. */
bool input_was(const struct stat *st);

/* A file that the program is to write anew, as its user has asked: it does not count as read any
 * more. */
void input_forget(const char *path);

/* A regular file that another program has read for this one counts as read, too.  Fails if it is
 * also the name of an output; a file that is gone is none. */
int input_note(const char *path, struct tandem_error *err);

/* Reads a text, INPUT_TEXT_MOST bytes at most, of which none is 0. */
int input_text(const char *path, char **text, struct tandem_error *err);

#endif
