/* generate_ports SOURCES FOLDER: writes what is made of the ports tables below FOLDER. */
#include <stdio.h>

#include "csim/ports/generate/generate.h"

int main(int argc, char **argv) {
  struct tandem_error err;
  if (argc != 3) {
    fprintf(stderr, "usage: generate_ports SOURCES FOLDER\n");
    return 2;
  }
  if (ports_write(argv[1], argv[2], false, &err) == 0)
    return 0;
  fprintf(stderr, "generate_ports: %s\n", err.text);
  return 1;
}
