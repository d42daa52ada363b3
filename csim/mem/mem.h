/* The memory system: global memory with its allocator, and the timing of everything between the
 * SMs' MEM pipelines and DRAM.
 *
 * A cycle has a parallel part, in which different SMs' sm_mem_* functions and different partitions'
 * gpu_mem_parts (L2 and DRAM) may run on different threads (they touch their own state and only
 * read global memory), and a serial part, gpu_mem_join, in which stores and atomics of this cycle
 * take effect in the order of SM index, and packets move through the crossbar.  Results therefore
 * do not depend on the number of threads.
 *
 * Functional order: a load reads memory in the cycle in which it leaves the load-store unit; stores
 * and atomics are applied in the serial part of that cycle.  Caches hold tags and timing only.
 */
#ifndef TANDEM_MEM_H
#define TANDEM_MEM_H

#include "csim/isa/core/grid.h"
#include "csim/isa/core/inst.h"
#include "csim/mem/cb_port.h"
#include "csim/mem/mem_config.h"
#include "csim/util/error.h"
#include "csim/util/stats.h"

struct gpu_mem;
struct sm_mem; /* the memory side of one SM */

struct gpu_mem *gpu_mem_create(const struct mem_config *config, unsigned sms,
                               struct tandem_error *err);
void gpu_mem_destroy(struct gpu_mem *m);

/* Host side.  Addresses are 32-bit global addresses from ISA_GLOBAL_FIRST; allocations are 256-byte
 * aligned, deterministic, separated by unmapped guard space, and zeroed.  0 or a negative errno. */
int gpu_mem_alloc(struct gpu_mem *m, uint64_t bytes, uint32_t *address, struct tandem_error *err);
int gpu_mem_free(struct gpu_mem *m, uint32_t address, struct tandem_error *err);
int gpu_mem_write(struct gpu_mem *m, uint32_t address, const void *from, uint64_t bytes,
                  struct tandem_error *err);
int gpu_mem_read(const struct gpu_mem *m, uint32_t address, void *to, uint64_t bytes,
                 struct tandem_error *err);
/* Allocations by ascending address: how many there are; fills at most max.  All bytes of global
 * memory, from address 0, to look at. */
struct mem_allocation {
  uint32_t address;
  uint64_t bytes;
};
size_t gpu_mem_allocations(const struct gpu_mem *m, struct mem_allocation *list, size_t max);
const uint8_t *gpu_mem_bytes(const struct gpu_mem *m);
uint64_t gpu_mem_digest(const struct gpu_mem *m); /* of all allocated bytes and their addresses */

/* Starts a launch: L1 and constant caches are flushed, row buffers and L2 stay, local memory is
 * zeroed, the fault is forgotten.  Every SM's side must be idle (stores may still be on their way).
 * The grid stays valid until the launch ends.  Its local_address only places local memory for the
 * timing (crossbar, L2, DRAM), SMs x warps x 32 x local_bytes; the bytes themselves are kept apart.
 */
void gpu_mem_begin(struct gpu_mem *m, const struct grid *grid);

struct sm_mem *gpu_mem_sm(struct gpu_mem *m, unsigned sm);

/* A CTA starts in a slot: its shared memory is undefined (filled with a pattern that is not zero).
 */
void sm_mem_cta(struct sm_mem *s, unsigned cta_slot);
/* A warp of a CTA starts: its slot is that of the CTA. */
void sm_mem_warp(struct sm_mem *s, unsigned warp, const struct warp_place *place);

/* Whether the load-store unit takes an instruction in this cycle, and hands it over: uop, warp, pc,
 * exec, a, b, c are set.  A load or a returning atomic fills d (0 in lanes that fault), all fill
 * addr.  The instruction, its mem part above all, belongs to the memory side until it comes back
 * through sm_mem_completed, two cycles later or more. */
bool sm_mem_ready(const struct sm_mem *s);
void sm_mem_accept(struct sm_mem *s, struct sm_inst *inst);

/* The instruction whose result is to be written back in this cycle, at most one (a second call in
 * a cycle gives NULL); NULL if none.  One that is not taken waits.
 * Stores and atomics without return come back too, once memory holds their effect. */
struct sm_inst *sm_mem_completed(struct sm_mem *s);

/* Instruction cache misses and fills: one line requested a cycle, at most eight on their way; at
 * most one beat a cycle comes back, those of a line one after another.  Words past the program are
 * 0. */
struct mem_fill {
  uint16_t line;
  uint8_t beat;
  uint64_t data[2];
};
void sm_mem_ifetch(struct sm_mem *s, uint16_t line);
bool sm_mem_fill(struct sm_mem *s, struct mem_fill *fill);

/* A client of memory that is no SM, as a DMA engine, moves sectors of 32 bytes of a 128-byte
 * segment.  It has a port of the crossbar of its own (sm: MEM_CLIENT_OWN), or shares that of an SM,
 * whose packets go first; SMs and clients with a port are MEM_PORTS at most, clients of an SM
 * MEM_SM_CLIENTS, all clients MEM_CLIENTS.  Made before the first cycle, destroyed with the memory.
 * NULL: err tells. */
struct mem_client;
enum {
  MEM_PORTS = 128,
  MEM_CLIENTS = 512,
  MEM_SM_CLIENTS = 8,
  MEM_CLIENT_OWN = -1,
  MEM_CLIENT_TAGS = 16,
  MEM_SEGMENT_WORDS = 32
};
struct mem_client *gpu_mem_client(struct gpu_mem *m, int sm, struct tandem_error *err);

/* At most one request a cycle, before gpu_mem_join of the cycle; of a client at an SM's port by the
 * SM's thread.  Memory takes every request; a tag is open until its answer has been taken.  A read
 * reads memory at once, so it sees the writes of earlier cycles, as loads do; a write takes effect
 * in the serial part of the cycle, behind the stores of the SMs, in the order of the clients.
 * Sectors outside of an allocation read 0, are not written, and are a fault (gpu_mem_fault).
 * False, and nothing is done: the tag is open, no sector or a bad address, or a second request. */
struct mem_request {
  uint32_t address; /* of the segment: a multiple of 128 */
  uint8_t tag;      /* 0 to MEM_CLIENT_TAGS - 1 */
  uint8_t sectors;  /* 4 bits, bit 0 the lowest 32 bytes */
  bool write;
  uint32_t data[MEM_SEGMENT_WORDS]; /* of a write; words of other sectors are ignored */
};
bool mem_client_request(struct mem_client *c, uint64_t cycle, const struct mem_request *r);

/* The next answer that is there in this cycle, in any order of the requests; of a client at an SM's
 * port after sm_mem_step of the cycle.  A write is answered when DRAM, or L2, has it. */
struct mem_answer {
  uint8_t tag, sectors;
  bool write;
  uint32_t data[MEM_SEGMENT_WORDS]; /* of a read; 0 in other sectors */
};
bool mem_client_answer(struct mem_client *c, uint64_t cycle, struct mem_answer *a);
bool mem_client_idle(const struct mem_client *c); /* no tag is open */

/* Cycle numbers never go back, not between launches either; cycles may be left out while everything
 * is idle.
 *
 * One core cycle of the SM's own part: load-store unit, shared memory, L1D, constant cache.  Called
 * before the functions above are in that cycle. */
void sm_mem_step(struct sm_mem *s, uint64_t cycle);
/* The partitions in the mask: in any order, on any thread, together with the SMs of the cycle. */
void gpu_mem_parts(struct gpu_mem *m, uint64_t cycle, uint64_t parts);
/* The serial part, after everything else of the cycle. */
void gpu_mem_join(struct gpu_mem *m, uint64_t cycle);
/* Both, all partitions, for callers with one thread. */
void gpu_mem_step(struct gpu_mem *m, uint64_t cycle);

/* Whether something is on its way and sm_mem_step in this cycle would do nothing but count; cycles
 * of which it was true may be left out and counted together before the next step. */
bool sm_mem_waits(const struct sm_mem *s, uint64_t cycle);
void sm_mem_skip(struct sm_mem *s, uint64_t cycles);

/* Nothing in flight and nothing would change by stepping (of one SM; of everything). */
bool sm_mem_idle(const struct sm_mem *s);
bool gpu_mem_idle(const struct gpu_mem *m);
/* Some partition has work, so memory is not idle; cheaper than gpu_mem_idle. */
bool gpu_mem_works(const struct gpu_mem *m);

/* The first fault (in order of cycle, SM, warp, clients last), if any: an out-of-bounds, misaligned
 * or otherwise bad access. */
struct mem_fault {
  uint8_t kind; /* INST_FAULT_*, 0: none */
  uint8_t sm, warp, lane, space;
  bool store;
  uint16_t client; /* 0: of an SM; n: of the n-th client made, sm is that of its port, or 0 */
  uint16_t pc;
  uint32_t address, bytes;
  uint64_t cycle;
};
const struct mem_fault *gpu_mem_fault(const struct gpu_mem *m);

struct mem_stats {
#define STAT_COUNT STAT_FIELD
#define STAT_MOST STAT_FIELD
#define STAT_SHARE STAT_NOTHING
#define STAT_MEAN STAT_NOTHING
#include "csim/mem/stats.def"
};
void gpu_mem_stats(const struct gpu_mem *m, struct mem_stats *stats);

#endif
