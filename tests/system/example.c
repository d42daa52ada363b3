/* The example of docs/library.md: two GPUs in one process, different ones, the same kernel. */
#include <stdio.h>
#include <string.h>

#include "harness/tandem.h"

enum { N = 1000 };

/* Doubles N numbers on a GPU; returns how long it took in cycles, 0 after a failure. */
static uint64_t run(const struct tandem_config *config, const char *program) {
  struct tandem_error err;
  struct tandem *gpu;
  struct isa_program *p;
  struct tandem_stats stats = {0};
  float x[N];
  struct { /* the kernel's parameters, as they lie in memory */
    uint32_t x;
    float by;
    int32_t n;
  } args = {.by = 2, .n = N};
  for (int i = 0; i < N; i++)
    x[i] = (float)i;

  if (tandem_open(config, &gpu, &err) != TANDEM_OK) {
    fprintf(stderr, "%s\n", err.text);
    return 0;
  }
  struct tandem_launch launch = {.kernel = "scale",
                                 .grid = {8, 1, 1},
                                 .block = {128, 1, 1},
                                 .args = &args,
                                 .args_bytes = sizeof args};
  bool good = isa_program_load(program, NULL, NULL, &p, &err) == 0 &&
              tandem_load(gpu, p, &err) == TANDEM_OK &&
              tandem_alloc(gpu, sizeof x, &args.x, &err) == TANDEM_OK &&
              tandem_write(gpu, args.x, x, sizeof x, &err) == TANDEM_OK;
  if (good) {
    launch.program = p;
    good = tandem_launch(gpu, &launch, &err) == TANDEM_OK &&
           tandem_read(gpu, args.x, x, sizeof x, &err) == TANDEM_OK;
  }
  tandem_statistics(gpu, &stats);
  if (!good)
    fprintf(stderr, "%s\n%s", err.text, tandem_report(gpu));
  for (int i = 0; i < N; i++)
    good = good && x[i] == 2 * (float)i;
  tandem_close(gpu);
  return good ? stats.cycles : 0;
}

int main(int argc, char **argv) {
  struct tandem_config config[2];
  uint64_t cycles[2];
  if (argc != 2)
    return TANDEM_USAGE;
  for (int i = 0; i < 2; i++)
    tandem_config_default(&config[i]);
  config[0].sms = 2; /* in lockstep with the RTL */
  config[1].sms = 1; /* half the machine, the reference alone */
  config[1].engine = TANDEM_ENGINE_REF;
  for (int i = 0; i < 2; i++)
    cycles[i] = run(&config[i], argv[1]);
  printf("%llu cycles on two SMs, %llu on one\n", (unsigned long long)cycles[0],
         (unsigned long long)cycles[1]);
  return cycles[0] != 0 && cycles[0] < cycles[1] ? TANDEM_OK : TANDEM_FAULT;
}
