/* The memory system: global memory with its allocator, and the timing of everything between the
 * SMs' MEM pipelines and DRAM.
 *
 * A cycle has a parallel and a serial part.  In the parallel part, sm_mem_* functions of different
 * SMs and gpu_mem_parts of different partitions (L2 and DRAM) may run on different threads: they
 * change only their own state and only read global memory.  In the serial part, gpu_mem_join,
 * stores and atomics of the cycle take effect in the order of SM index, and packets move through
 * the crossbar.  Results therefore do not depend on the number of threads.
 *
 * Functional order: loads, stores and atomics take effect in the serial part of the cycle in which
 * they enter the load-store unit's pipeline, loads first.  Caches hold tags and timing only.
 *
 * SMs need not have the same cycle.  gpu_mem_ahead steps partitions and the answers to SMs before
 * SMs have those cycles, and each SM may then do some cycles before gpu_mem_join has had them, as
 * long as sm_mem_may_step allows it.  The results are the same.
 */
#ifndef TANDEM_MEM_H
#define TANDEM_MEM_H

#include "csim/isa/core/grid.h"
#include "csim/isa/core/inst.h"
#include "csim/mem/cb_port.h"
#include "csim/mem/mem_config.h"
#include "csim/mem/profile.h"
#include "csim/util/error.h"
#include "csim/util/stats.h"

struct gpu_mem;
struct sm_mem; /* the memory side of one SM */

/* Creates the memory of a GPU of 1 to MEM_PORTS SMs.  NULL with *err if the configuration is wrong
 * or the host has no memory. */
struct gpu_mem *gpu_mem_create(const struct mem_config *config, unsigned sms,
                               struct tandem_error *err);
void gpu_mem_destroy(struct gpu_mem *m);

/* The host's side.  Addresses are 32-bit global addresses from ISA_GLOBAL_FIRST on.  Allocations
 * are aligned to 256 bytes, deterministic, zeroed, and separated by guard space that belongs to
 * none. The functions return 0 or a negative errno. */
int gpu_mem_alloc(struct gpu_mem *m, uint64_t bytes, uint32_t *address, struct tandem_error *err);
int gpu_mem_free(struct gpu_mem *m, uint32_t address, struct tandem_error *err);
int gpu_mem_write(struct gpu_mem *m, uint32_t address, const void *from, uint64_t bytes,
                  struct tandem_error *err);
int gpu_mem_read(const struct gpu_mem *m, uint32_t address, void *to, uint64_t bytes,
                 struct tandem_error *err);
struct mem_allocation {
  uint32_t address;
  uint64_t bytes;
};

/* Copies at most `max` allocations, by ascending address.  Returns their number. */
size_t gpu_mem_allocations(const struct gpu_mem *m, struct mem_allocation *list, size_t max);

/* Returns the bytes of global memory from address 0 on. */
const uint8_t *gpu_mem_bytes(const struct gpu_mem *m);

/* Returns a digest of all allocated bytes and their addresses. */
uint64_t gpu_mem_digest(const struct gpu_mem *m);

/* Begins a launch: flushes L1 and constant caches, zeroes local memory and clears the fault; row
 * buffers and L2 stay.  Every SM's side must be idle; stores may still be under way.  The grid
 * stays valid until the launch ends.  Its local_address places local memory, SMs x warps x 32 x
 * local_bytes, for timing alone (crossbar, L2, DRAM); the bytes are kept elsewhere. */
void gpu_mem_begin(struct gpu_mem *m, const struct grid *grid);

struct sm_mem *gpu_mem_sm(struct gpu_mem *m, unsigned sm);

/* The shared memory and L1D of an SM in a launch, with what it borrows from a neighbour: side 1
 * (docs/models/memory.md, borrowed memory). */
struct sm_mem_shape {
  uint32_t shared_bytes;     /* of both sides: a CTA may have so much */
  uint32_t shared_own;       /* bytes of side 0; the addresses above are in banks of side 1 */
  uint32_t shared_far_banks; /* banks of side 1, a power of two up to 32; 0: none */
  uint32_t l1d_far_ways;     /* ways of side 1: 0, or all or half of the configured ones */
  uint32_t delay;            /* stages of a path to side 1, and of the same path within side 0 */
  bool joint;                /* both halves of a wide warp's instruction are coalesced together */
};

/* Gives the SM this geometry, or that of the configuration if NULL, from the next gpu_mem_begin on.
 * The SM's side is idle; its L1D is flushed.  Returns 0, or -EINVAL or -ENOMEM with *err. */
int sm_mem_set_shape(struct sm_mem *s, const struct sm_mem_shape *shape, struct tandem_error *err);

/* Returns how often a line of L1D or a pass over shared memory has crossed from or to side 1. */
uint64_t sm_mem_far_lines(const struct sm_mem *s);

/* Starts a CTA in a slot: fills its shared memory, which is undefined, with a pattern. */
void sm_mem_cta(struct sm_mem *s, unsigned cta_slot);

/* Starts a warp in the slot of its CTA. */
void sm_mem_warp(struct sm_mem *s, unsigned warp, const struct warp_place *place);

/* Returns whether the load-store unit takes an instruction in this cycle. */
bool sm_mem_ready(const struct sm_mem *s);

/* Hands an instruction to the load-store unit; uop, warp, pc, exec, a, b, c and mem.other are set.
 * mem.other is NULL, or the upper half of a wide warp's instruction: then the lower half stands for
 * both, of which one may have no executing lane.  Memory fills
 * addr, and d of a load or a returning atomic (0 in lanes that fault).  The instruction, mainly its
 * mem part, belongs to the memory side until sm_mem_completed returns it, at least two cycles
 * later.
 */
void sm_mem_accept(struct sm_mem *s, struct sm_inst *inst);

/* Returns the instruction to be written back in this cycle, or NULL; a second call in a cycle
 * returns NULL.  Instructions wait until they are taken.  Stores and atomics without return come
 * back too, once memory holds their effect. */
struct sm_inst *sm_mem_completed(struct sm_mem *s);

/* Returns the number of writes of a warp that memory has not acknowledged.  With
 * memory.store_acks, stores are acknowledged when L2 has them, or DRAM without L2; without it, or
 * in an interface unit, see sm_mem_acknowledged. */
uint32_t sm_mem_stores(const struct sm_mem *s, unsigned warp);

/* A beat of an instruction line.  Words past the program are 0. */
struct mem_fill {
  uint16_t line;
  uint8_t beat;
  uint64_t data[2];
};

/* Requests an instruction line, at most one a cycle; at most eight are under way. */
void sm_mem_ifetch(struct sm_mem *s, uint16_t line);

/* Takes a beat, at most one a cycle; the beats of a line come one after the other.  False if there
 * is none. */
bool sm_mem_fill(struct sm_mem *s, struct mem_fill *fill);

/* A client of memory that is no SM, for example a DMA engine, moves sectors of 32 bytes of a
 * 128-byte segment. */
struct mem_client;
enum {
  MEM_PORTS = 128,
  MEM_CLIENTS = 512,
  MEM_LOOKAHEAD = 64,
  MEM_SM_CLIENTS = 8,
  MEM_CLIENT_OWN = -1,
  MEM_CLIENT_TAGS = 16,
  MEM_SEGMENT_WORDS = 32
};

/* Creates a client, before the first cycle; the memory destroys it.  The client has its own port of
 * the crossbar (sm: MEM_CLIENT_OWN), or shares that of an SM, whose packets go first.  SMs and
 * clients with a port are at most MEM_PORTS, clients of an SM at most MEM_SM_CLIENTS, all clients
 * at most MEM_CLIENTS.  NULL with *err. */
struct mem_client *gpu_mem_client(struct gpu_mem *m, int sm, struct tandem_error *err);

struct mem_request {
  uint32_t address; /* segment: a multiple of 128 */
  uint8_t tag;      /* 0 to MEM_CLIENT_TAGS - 1 */
  uint8_t sectors;  /* 4 bits, bit 0 the lowest 32 bytes */
  bool write;
  uint32_t data[MEM_SEGMENT_WORDS]; /* for a write; words of other sectors are ignored */
};

/* Requests an access, at most one a cycle, before gpu_mem_join of the cycle; the SM's thread
 * requests for a client at its port.  A tag is open until its answer has been taken.  A read reads
 * memory at once: like a load it sees the writes of earlier cycles.  A write takes effect in the
 * serial part of the cycle, after the stores of the SMs, in the order of the clients.  Sectors
 * outside of an allocation read 0, are not written, and are a fault (gpu_mem_fault).  False,
 * without effect, if the tag is open, the address or the sectors are wrong, or the cycle had a
 * request. */
bool mem_client_request(struct mem_client *c, uint64_t cycle, const struct mem_request *r);

struct mem_answer {
  uint8_t tag, sectors;
  bool write;
  uint32_t data[MEM_SEGMENT_WORDS]; /* from a read; 0 in other sectors */
};

/* Takes an answer that has arrived, in any order of the requests; for a client at an SM's port
 * after sm_mem_step of the cycle.  A write is answered when DRAM, or L2, has it.  False if there is
 * none. */
bool mem_client_answer(struct mem_client *c, uint64_t cycle, struct mem_answer *a);

/* Returns whether no tag is open. */
bool mem_client_idle(const struct mem_client *c);

/* Steps one core cycle of the SM's own part: load-store unit, shared memory, L1D, constant cache.
 * Called before the functions above in that cycle.  Cycle numbers never go back, also between
 * launches; cycles may be skipped while everything is idle. */
void sm_mem_step(struct sm_mem *s, uint64_t cycle);

/* Steps the partitions in the mask, in any order, on any thread, beside the SMs of the cycle. */
void gpu_mem_parts(struct gpu_mem *m, uint64_t cycle, uint64_t parts);

/* Steps the partitions, and moves their answers to the SMs, through the cycles before `end`, at
 * most gpu_mem_lookahead from the last gpu_mem_join on; gpu_mem_parts has nothing to do in them. */
void gpu_mem_ahead(struct gpu_mem *m, uint64_t end);

/* Returns how many cycles the SMs may be ahead of gpu_mem_join, MEM_LOOKAHEAD at most; 1: all must
 * have the same cycle. */
unsigned gpu_mem_lookahead(const struct gpu_mem *m);

/* Returns whether the SM's side can do a cycle before gpu_mem_join has had all cycles before: there
 * is room for what it may send, and no load is complete whose value memory has not given.  A wide
 * warp's SMs do not go ahead.  The uops of instructions stay until gpu_mem_join has had their
 * accesses. */
bool sm_mem_may_step(const struct sm_mem *s, uint64_t cycle);

/* Returns the warps with stores or atomics that gpu_mem_join has not had. */
uint64_t sm_mem_writing(const struct sm_mem *s);

/* Returns the warps with stores that came back before gpu_mem_join had them and have changed memory
 * since, and the cycle in which the last of them came back; then forgets them. */
uint64_t sm_mem_changed(struct sm_mem *s, uint64_t *cycle);

/* Steps the serial part, after everything else of the cycle. */
void gpu_mem_join(struct gpu_mem *m, uint64_t cycle);

/* Steps all partitions and the serial part, for callers with one thread. */
void gpu_mem_step(struct gpu_mem *m, uint64_t cycle);

/* Returns whether the SM's side only waits for something under way: sm_mem_step would only count
 * the cycle. */
bool sm_mem_waits(const struct sm_mem *s, uint64_t cycle);

/* Replaces sm_mem_step for `cycles` cycles in which sm_mem_waits was true, before the next step. */
void sm_mem_skip(struct sm_mem *s, uint64_t cycles);

/* Returns whether the SM's side, or all of memory, has nothing in flight and a step changes
 * nothing. */
bool sm_mem_idle(const struct sm_mem *s);
bool gpu_mem_idle(const struct gpu_mem *m);

/* Returns whether a partition has work, so that memory is not idle; cheaper than gpu_mem_idle. */
bool gpu_mem_works(const struct gpu_mem *m);

/* An access that is out of bounds, misaligned or otherwise wrong. */
struct mem_fault {
  uint8_t kind; /* INST_FAULT_*, 0: none */
  uint8_t sm, warp, lane, space;
  bool store;
  uint16_t client; /* 0: an SM; n: the n-th client; then sm is that of its port, or 0 */
  uint16_t pc;
  uint32_t address, bytes;
  uint64_t cycle;
};

/* Returns the first fault by cycle, SM and warp, clients last; its kind is 0 if there is none. */
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
