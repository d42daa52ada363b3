/* The example of docs/use/library.md: two GPUs in one process, different ones, the same kernel. */
#include <inttypes.h>
#include <stdio.h>

#include <tandem.h>

enum { N = 1000 };

/* Doubles N numbers on a GPU.  False after an error, which is in *err. */
static bool doubled(struct tandem *gpu, const char *path, struct tandem_error *err) {
  const struct tandem_program *program;
  float x[N];
  struct { /* the kernel's parameters, as they lie in memory */
    uint32_t x;
    float by;
    int32_t n;
  } args = {.by = 2, .n = N};
  struct tandem_launch launch = {.kernel = "scale",
                                 .grid = {8, 1, 1},
                                 .block = {128, 1, 1},
                                 .args = &args,
                                 .args_bytes = sizeof args};
  for (int i = 0; i < N; i++)
    x[i] = (float)i;
  if (tandem_load(gpu, path, NULL, &program, err) != TANDEM_OK ||
      tandem_alloc(gpu, sizeof x, &args.x, err) != TANDEM_OK ||
      tandem_write(gpu, args.x, x, sizeof x, err) != TANDEM_OK)
    return false;
  launch.program = program;
  if (tandem_launch(gpu, &launch, err) != TANDEM_OK ||
      tandem_read(gpu, args.x, x, sizeof x, err) != TANDEM_OK)
    return false;
  for (int i = 0; i < N; i++)
    if (x[i] != 2 * (float)i) {
      snprintf(err->text, sizeof err->text, "x[%d] is %g", i, (double)x[i]);
      return false;
    }
  return true;
}

/* Runs the kernel on a GPU of so many SMs; returns how long it took in cycles, 0 after a failure.
 */
static uint64_t run(const char *sms, const char *engine, const char *path) {
  struct tandem_error err = {{0}};
  struct tandem *gpu = NULL;
  struct tandem_statistic cycles = {0};
  struct tandem_config *config = tandem_config_create();
  const bool good = config != NULL && tandem_config_set(config, "sms", sms, &err) == TANDEM_OK &&
                    tandem_config_set(config, "run.engine", engine, &err) == TANDEM_OK &&
                    tandem_open(config, &gpu, &err) == TANDEM_OK && doubled(gpu, path, &err) &&
                    tandem_statistic(gpu, "cycles", &cycles, &err) == TANDEM_OK;
  if (!good)
    fprintf(stderr, "%s\n%s", err.text, gpu != NULL ? tandem_report(gpu) : "");
  tandem_close(gpu);
  tandem_config_destroy(config);
  return good ? cycles.count : 0;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return TANDEM_USAGE;
  const uint64_t two = run("2", "lockstep", argv[1]); /* compared with the RTL in every cycle */
  const uint64_t one = run("1", "ref", argv[1]);      /* half the machine, the reference alone */
  printf("%" PRIu64 " cycles on two SMs, %" PRIu64 " on one\n", two, one);
  return two != 0 && two < one ? TANDEM_OK : TANDEM_FAULT;
}
