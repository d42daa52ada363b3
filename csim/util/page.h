/* Pages of documentation that a program prints from tables of the sources: an introduction, which
 * is a file of its own, and what `print` adds. */
#ifndef TANDEM_UTIL_PAGE_H
#define TANDEM_UTIL_PAGE_H

#include <stdio.h>

/* The whole of such a program, `PROGRAM INTRODUCTION [PAGE]`: prints the page to the standard
 * output, or compares PAGE with it.  `target` is the build target that writes the page anew.
 * Returns the exit status: 1 if PAGE differs, 2 after wrong use. */
int page_main(int argc, char **argv, const char *target, void (*print)(FILE *out));

/* A text in a table's cell, which a vertical bar would end. */
void page_cell(FILE *out, const char *text);

#endif
