/* A client of memory without an SM: private to csim/mem. */
#ifndef TANDEM_MEM_CLIENT_H
#define TANDEM_MEM_CLIENT_H

#include "csim/mem/mem.h"
#include "csim/mem/net/packet.h"

enum {
  CLIENT_SECTORS = 4,      /* of a segment */
  CLIENT_SECTOR_BYTES = 32 /* eight words */
};

struct mem_client {
  struct gpu_mem *gpu;
  struct sm_mem *host; /* the SM whose port it shares; NULL: the port is its own */
  uint8_t *active;     /* its flag for the serial part: packets or a write are there */
  uint8_t port;
  uint8_t place; /* among the clients of the host */
  uint16_t number;
  uint16_t open;       /* tags whose answers have not been taken */
  uint64_t asked;      /* cycle of the last request, plus one */
  struct ring out, in; /* to the crossbar, or to the host's port; answers that have arrived */
  bool commit;         /* .write is of this cycle, for the serial part */
  struct mem_request write;
  uint32_t data[MEM_CLIENT_TAGS][MEM_SEGMENT_WORDS]; /* what the reads under way have read */
  uint8_t sectors[MEM_CLIENT_TAGS];
  uint64_t requests, words_read, words_written; /* statistics */
  struct mem_fault fault;
};

void client_free(struct mem_client *c);

/* The serial part of a cycle: the write takes effect, a packet goes to the crossbar. */
void client_take(struct mem_client *c);

#endif
