/* The state of memory for observers: between two cycles they read it and change nothing. */
#ifndef TANDEM_MEM_LOOK_H
#define TANDEM_MEM_LOOK_H

#include "csim/mem/mem.h"

/* Miss registers that are in use: of an SM's L1D; of all partitions' L2. */
unsigned sm_mem_misses(const struct sm_mem *s);
unsigned gpu_mem_misses(const struct gpu_mem *m);

/* ---- the load-store unit of an SM ---- */

/* Why the transaction of the first instruction finds no room. */
enum mem_block { MEM_FREE, MEM_NO_REGISTER, MEM_NO_MERGE, MEM_NO_WAY, MEM_NO_PORT, MEM_BLOCKS };
struct mem_head {
  const struct sm_inst *inst; /* the first instruction; NULL: none */
  enum mem_block block;
  unsigned transactions, passes; /* that it has left */
  uint32_t address;              /* of the transaction, if it finds no room */
};
struct mem_head sm_mem_head(const struct sm_mem *s);

/* ---- requests ---- */

/* Stages of a request of an SM, in their order.  Requests whose line L2 has pass from IN_L2 to
 * ANSWERED. */
enum mem_stage {
  MEM_AT_PORT,  /* at the SM's port of the crossbar */
  MEM_TO_L2,    /* on the way through the crossbar, and through the partition's pipeline */
  MEM_IN_L2,    /* waits for the tags of L2, or behind others */
  MEM_TO_DRAM,  /* on the way to the DRAM controller */
  MEM_IN_DRAM,  /* waits for its bank */
  MEM_ON_BUS,   /* has its column command: data come */
  MEM_FILLED,   /* the line is there, the requester is not answered */
  MEM_ANSWERED, /* the answer is at the partition's port */
  MEM_FROM_L2,  /* on the way back */
  MEM_STAGES
};
enum mem_request_kind { MEM_OF_DATA, MEM_OF_CONSTANT, MEM_OF_CODE, MEM_OF_ATOMIC };
enum mem_row { MEM_ROW_OPEN, MEM_ROW_CLOSED, MEM_ROW_OTHER };

struct mem_look {
  enum mem_request_kind kind;
  enum mem_stage stage;
  uint32_t address;  /* of the line; of code the address in memory */
  uint16_t tag;      /* of code the instruction line; else the miss register */
  uint8_t partition; /* from MEM_TO_L2 on */
  /* In MEM_IN_DRAM: bank and row, what the bank has open, and requests to the bank that are older.
   */
  uint8_t bank;
  int32_t row;
  enum mem_row open;
  unsigned older;
  /* Instructions that wait for the line; elements may be NULL. */
  struct sm_inst *const *waiter;
  unsigned waiters;
};

/* Calls `look` for each request of an SM that is under way and will be answered. */
void gpu_mem_each(const struct gpu_mem *m, unsigned sm,
                  void (*look)(void *user, const struct mem_look *request), void *user);

#endif
