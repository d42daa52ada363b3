/* Prints the names of the signals in a waveform, a line each, by the reader that Verilator ships.
 *
 *   fst_names FILE.fst */
#include <fstapi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  void *fst = argc == 2 ? fstReaderOpen(argv[1]) : NULL;
  struct fstHier *h;
  if (fst == NULL)
    return 2;
  while ((h = fstReaderIterateHier(fst)) != NULL) {
    if (h->htyp == FST_HT_SCOPE)
      fstReaderPushScope(fst, h->u.scope.name, NULL);
    else if (h->htyp == FST_HT_UPSCOPE)
      fstReaderPopScope(fst);
    if (h->htyp != FST_HT_VAR)
      continue;
    const char *name = h->u.var.name, *range = strchr(name, ' ');
    printf("%s.%.*s%s\n", fstReaderGetCurrentFlatScope(fst), (int)strcspn(name, " "), name,
           range != NULL ? range + 1 : "");
  }
  fstReaderClose(fst);
  return 0;
}
