/* Launch descriptions (docs/use/launch.md) for a platform in the place of the harness's GPU:
 * programs and allocations are the library's, kernels and transfers go where tb_host says. */
#ifndef TANDEM_TB_HOST_H
#define TANDEM_TB_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/tandem.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gpu_mem;
struct grid;
struct sm_config;

struct tb_host {
  /* Runs a kernel to its end; copies to or from memory.  NULL, or what went wrong. */
  const char *(*launch)(void *self, const struct grid *grid);
  const char *(*transfer)(void *self, bool write, uint32_t address, void *data, uint64_t bytes);
  void *self;
};

/* A launch description, and other values for its parameters. */
struct tb_job {
  const char *path;
  struct tandem_parameter parameters[16];
  size_t nparameters;
  const char *gpu; /* description of the GPU in the place of the launch description's; or NULL */
  struct tandem_job *read; /* by tb_open, for tb_run */
};
/* Takes NAME=VALUE; false: it is no such thing (a bad value has been printed), or one too many. */
bool tb_parameter(struct tb_job *job, char *text);

/* A GPU whose launches and transfers are the host's: as the job describes it, or, if sms is not 0,
 * the default one of `sms` SMs.  NULL after a failure, which has been printed. */
struct tandem *tb_open(unsigned sms, struct tb_job *job, const struct tb_host *host);
void tb_close(struct tandem *t);
struct gpu_mem *tb_memory(struct tandem *t);
/* Fills in the configuration of an SM's back end. */
void tb_sm_config(const struct tandem *t, struct sm_config *config);
/* Returns true if the SMs' scheduler is loose round robin. */
bool tb_lrr(const struct tandem *t);
/* Returns the limit of a kernel's time in core cycles. */
uint64_t tb_max_cycles(const struct tandem *t);
/* Runs the launch description and looks at its expectations; false after a failure, printed. */
bool tb_run(struct tandem *t, struct tb_job *job);
uint64_t tb_digest(const struct tandem *t);

#ifdef __cplusplus
}
#endif
#endif
