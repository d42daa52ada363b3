/* The state of memory for observers. */
#include "csim/mem/look.h"

#include "csim/mem/l1/sm_mem.h"

unsigned sm_mem_misses(const struct sm_mem *s) { return s->l1d.mshrs - s->l1d.frees; }

unsigned gpu_mem_misses(const struct gpu_mem *m) {
  unsigned n = 0;
  for (unsigned p = 0; p < m->config.partitions; p++)
    n += m->config.l2_mshrs - m->part[p].free_mshrs;
  return n;
}
