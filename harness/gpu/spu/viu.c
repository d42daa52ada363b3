/* viu.s: the program of virtual interface units that are SMs (docs/hardware/spu.md).  It spills
 * tiles for a later pass, or restores those of an earlier one, in the place of the kernel's code.
 *
 * All threads of the CTA move a tile together, four words a thread in a turn of the loop.
 * Registers:
 *
 *   r0  bytes from a thread's word to its next     r4  byte of the word in hand
 *   r1  byte of the thread's first word            r5  its address in the buffer
 *   r2  bytes of a tile                            r6  its address in memory
 *   r3  result of bsync, and others                r8 to r11  words; p0 to p3: there is one
 */
#include "harness/gpu/spu/viu.h"

#include "csim/isa/asm/asm.h"

#define BEGIN(name)                                                                                \
  ".kernel \"" name "\"\n"                                                                         \
  ".regs 12\n"                                                                                     \
  "  movs r0, ntid.y\n"                                                                            \
  "  movs r1, tid.z\n"                                                                             \
  "  movs r2, tid.y\n"                                                                             \
  "  mad r1, r1, r0, r2\n"                                                                         \
  "  movs r3, ntid.x\n"                                                                            \
  "  movs r2, tid.x\n"                                                                             \
  "  mad r1, r1, r3, r2\n" /* number of the thread */                                              \
  "  mul r0, r0, r3\n"                                                                             \
  "  movs r3, ntid.z\n"                                                                            \
  "  mul r0, r0, r3\n" /* threads */                                                               \
  "  shl r1, r1, #2\n"                                                                             \
  "  shl r0, r0, #2\n"                                                                             \
  "  movs r2, regface\n" name "_next:\n"                                                           \
  "  movs r3, reglast\n"                                                                           \
  "  isetp.ne.u p0, r3, #0\n"                                                                      \
  "  @p0 bra " name "_end, rpc " name "_end\n"

#define END(name)                                                                                  \
  "  bra " name "_next, rpc none\n" name "_end:\n"                                                 \
  "  exit\n"                                                                                       \
  ".end\n"

/* The block waits at once. */
#define SYNC(directions) "  bsync r3, #" directions "\n  mov r3, r3\n"
#define OWN SYNC("16")
#define SPILL SYNC("32")
#define GLOBAL SYNC("64")

/* regspill changes with the synchronisation that follows. */
#define ADDRESS "  movs r6, regspill\n  iadd r6, r6, r1\n"

/* The n-th word of a turn, if there is one, and where the next one is. */
#define LOAD(n, load, reg, from)                                                                   \
  "  isetp.lt.u p" n ", r4, r2\n"                                                                  \
  "  iadd r4, r4, r0\n"                                                                            \
  "  @p" n " " load " " reg ", [" from "]\n"                                                       \
  "  iadd " from ", " from ", r0\n"
#define STORE(n, store, to, reg)                                                                   \
  "  @p" n " " store " [" to "], " reg "\n"                                                        \
  "  iadd " to ", " to ", r0\n"
#define LOADS(load, from)                                                                          \
  LOAD("0", load, "r8", from)                                                                      \
  LOAD("1", load, "r9", from)                                                                      \
  LOAD("2", load, "r10", from)                                                                     \
  LOAD("3", load, "r11", from)
#define STORES(store, to)                                                                          \
  STORE("0", store, to, "r8")                                                                      \
  STORE("1", store, to, "r9")                                                                      \
  STORE("2", store, to, "r10")                                                                     \
  STORE("3", store, to, "r11")
#define COPY(name, load, from, store, to)                                                          \
  "  mov r4, r1\n"                                                                                 \
  "  movi r5, #0x1400000\n" /* the own buffer */                                                   \
  "  iadd r5, r5, r1\n" name "_copy:\n" LOADS(load, from)                                          \
      STORES(store, to) "  isetp.lt.u p0, r4, r2\n"                                                \
                        "  @p0 bra " name "_copy, rpc " name "_copied\n" name "_copied:\n"
#define TO_MEMORY COPY("spill", "ld.shared.32", "r5", "st.global.32", "r6")
#define TO_BUFFER COPY("restore", "ld.global.32", "r6", "st.shared.32", "r5")

static const char point[] = BEGIN("spill") ADDRESS OWN TO_MEMORY SPILL END("spill") BEGIN("restore")
    SPILL ADDRESS TO_BUFFER OWN END("restore");

static const char global[] = BEGIN("spill") ADDRESS GLOBAL TO_MEMORY END("spill") BEGIN("restore")
    ADDRESS TO_BUFFER GLOBAL END("restore");

int spu_viu_make(struct tandem *t, struct isa_program **viu, struct tandem_error *err) {
  return isa_assemble(t->config.feature.spu.sync == SPU_SYNC_GLOBAL ? global : point, "viu.s", viu,
                      err);
}
