/* Commands as texts that a shell takes. */
#ifndef TANDEM_UTIL_SHELL_H
#define TANDEM_UTIL_SHELL_H

#include <stdio.h>

/* Prints a word, in quotation marks if the shell would read it otherwise. */
void shell_word(FILE *out, const char *word);

#endif
