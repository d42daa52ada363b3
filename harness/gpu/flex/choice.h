/* Choice of a scheme for a launch: rules of ours, as functions of what is known of the kernel.
 *
 * The paper leaves the choice to software (section V.B) and says for which kernels each scheme is
 * meant (section VI.C.3): memory-bound ones take Occ, compute-bound ones BigSM, those with too few
 * threads whichever holds more of them.  The thresholds are ours.  Of the
 * three rules `power` alone chooses Bal or BigSM_Occ. */
#ifndef TANDEM_GPU_FLEX_CHOICE_H
#define TANDEM_GPU_FLEX_CHOICE_H

#include "harness/gpu/flex/occupancy.h"

enum { FLEX_WHY = 160 };
struct flex_choice {
  enum flex_scheme scheme;
  bool own_memory; /* Occ without the lender's memory */
  char why[FLEX_WHY];
};

/* A launch: its CTAs, and the instructions of the kernel's code, all and those of the MEM
 * pipeline. */
struct flex_launch {
  struct flex_cta cta;
  uint64_t ctas;
  uint32_t instructions, memory;
};

/* The rule `static`, without a run.  BigSM if less than a fifth of the code are memory
 * instructions, or if it holds more threads of the grid than Base; else Occ. */
struct flex_choice flex_choose_static(const struct flex_gpu *gpu, const struct flex_launch *l);

/* The first launch of a kernel and shape, in Base. */
struct flex_measured {
  uint64_t cycles, thread_instructions;
  double dynamic_w; /* mean dynamic power, without what the GPU takes whatever it does */
};

/* The rule `first`.  m NULL: the first launch, which runs in Base, or, if no CTA fits there, by the
 * rule `static`.  Then BigSM if an eighth or more of the lanes' time was used; else Occ, without
 * the lender's memory if it holds the whole grid without. */
struct flex_choice flex_choose_first(const struct flex_gpu *gpu, const struct flex_launch *l,
                                     const struct flex_measured *m);

/* Power of the GPU, W. */
struct flex_watts {
  double limit;
  double sms[FLEX_SCHEMES]; /* leakage of SMs and their wiring, by table III */
  double others;            /* leakage of the rest of the GPU, and its constant power */
};

/* Returns the estimated time of a launch in a scheme, in that of its first launch, in Base.  The
 * share of the lanes' time that was used takes the longer, the fewer lanes work; the rest, the
 * fewer threads of the grid the GPU holds.  0: no CTA fits. */
double flex_estimate(const struct flex_gpu *gpu, enum flex_scheme scheme,
                     const struct flex_launch *l, const struct flex_measured *m);

/* The rule `power`: of the schemes whose estimated power is at most the limit the fastest one, of
 * equally fast ones that with the least power; if there is none, the scheme with the least power.
 * A first launch is that of the rule `first`. */
struct flex_choice flex_choose_power(const struct flex_gpu *gpu, const struct flex_launch *l,
                                     const struct flex_measured *m, const struct flex_watts *w);

#endif
