/* A client of memory without an SM: private to csim/mem. */
#ifndef TANDEM_MEM_CLIENT_H
#define TANDEM_MEM_CLIENT_H

#include "csim/mem/mem.h"
#include "csim/mem/net/packet.h"

enum {
  CLIENT_SECTORS = 4,      /* sectors of a segment */
  CLIENT_SECTOR_BYTES = 32 /* eight words */
};

struct mem_client {
  struct gpu_mem *gpu;
  struct sm_mem *host; /* the SM whose port it shares; NULL: it has its own port */
  uint8_t *active;     /* flag for the serial part: it has packets or a write */
  uint8_t port;
  uint8_t place; /* number among the clients of the host */
  uint16_t number;
  uint16_t open;       /* tags whose answers have not been taken */
  uint64_t asked;      /* cycle of the last request, plus one */
  struct ring out, in; /* to the crossbar, or to the host's port; answers that have arrived */
  bool commit;         /* .write is from this cycle, for the serial part */
  struct mem_request write;
  uint32_t data[MEM_CLIENT_TAGS][MEM_SEGMENT_WORDS]; /* words of the reads under way */
  uint8_t sectors[MEM_CLIENT_TAGS];
  uint64_t requests, words_read, words_written; /* statistics */
  struct mem_fault fault;
};

void client_free(struct mem_client *c);

/* Steps the serial part: the write takes effect, and a packet goes to the crossbar. */
void client_take(struct mem_client *c, uint64_t cycle);

#endif
