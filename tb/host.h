/* Launch descriptions (docs/launch.md) for a platform in the place of the harness's GPU: programs
 * and allocations are the library's, kernels and transfers go where tb_host says. */
#ifndef TANDEM_TB_HOST_H
#define TANDEM_TB_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tandem;
struct gpu_mem;
struct grid;

struct tb_host {
  /* Runs a kernel to its end; copies to or from memory.  NULL, or what went wrong. */
  const char *(*launch)(void *self, const struct grid *grid);
  const char *(*transfer)(void *self, bool write, uint32_t address, void *data, uint64_t bytes);
  void *self;
};

/* A GPU of so many SMs whose launches and transfers are the host's; NULL after a failure, which has
 * been printed. */
struct tandem *tb_open(unsigned sms, const struct tb_host *host);
void tb_close(struct tandem *t);
struct gpu_mem *tb_memory(struct tandem *t);
/* Runs a launch description and looks at its expectations; false after a failure, printed. */
bool tb_run(struct tandem *t, const char *path);
uint64_t tb_digest(const struct tandem *t);

#ifdef __cplusplus
}
#endif
#endif
