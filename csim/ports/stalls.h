/* Stall causes of the warp schedulers, made from csim/ports/stalls.def. */
#ifndef TANDEM_PORTS_STALLS_H
#define TANDEM_PORTS_STALLS_H

enum { STALL_CODES = 16 /* of the ports' 4 bits */ };

enum stall {
#define STALL(code, id, name, title, of, text) STALL_##id = (code),
#include "csim/ports/stalls.def"
};

enum stall_of { STALL_OF_ALL, STALL_OF_MEMBERS, STALL_OF_MODEL };
struct stall_desc {
  const char *name, *title, *text; /* name NULL: no cause has the code */
  enum stall_of of;
};
extern const struct stall_desc stalls[STALL_CODES];

#endif
