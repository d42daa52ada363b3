/* The GPUs that Tandem has descriptions of: the files of gpus, which are part of the program. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/gpu/config.h"
#include "harness/job/config.h"
#include "harness/job/inputs.h"

/* Name and text of each file, which harness/CMakeLists.txt writes. */
static const struct gpu_text {
  const char *name;
  const char *text;
} gpus[] = {
#include "harness/job/gpus.h"
};
enum { GPUS = sizeof gpus / sizeof gpus[0] };

static const struct gpu_text *find(const char *name) {
  for (size_t i = 0; i < GPUS; i++)
    if (strcmp(gpus[i].name, name) == 0)
      return &gpus[i];
  return NULL;
}

bool config_is_path(const char *word) {
  const size_t n = strlen(word);
  return strchr(word, '/') != NULL || (n > 5 && strcmp(word + n - 5, ".yaml") == 0) ||
         (n > 4 && strcmp(word + n - 4, ".yml") == 0);
}

bool config_has_gpu(const char *name, struct tandem_error *err) {
  char names[256] = "";
  size_t n = 0;
  if (find(name) != NULL)
    return true;
  for (size_t i = 0; i < GPUS && n < sizeof names; i++)
    n += (size_t)snprintf(names + n, sizeof names - n, "%s%s",
                          i == 0          ? ""
                          : i + 1 == GPUS ? " and "
                                          : ", ",
                          gpus[i].name);
  tandem_fail(err, -EINVAL, "there is no GPU \"%s\"; there are %s", name, names);
  return false;
}

static int set_name(struct tandem_config *c, const char *name, struct tandem_error *err) {
  if (strlen(name) >= sizeof c->gpu)
    return tandem_fail(err, -EINVAL, "the path of a GPU description has %zu bytes at most, not %s",
                       sizeof c->gpu - 1, name);
  strcpy(c->gpu, name);
  return 0;
}

/* The defaults of the machine's keys, without sources. */
static void start_anew(struct tandem_config *c, struct config_sources *sources) {
  const struct config_key *k;
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++)
    if (gpu_key_describes(k))
      config_put(k, c, k->standard);
  if (sources != NULL)
    config_forget_sources(sources);
}

int config_start(struct tandem_config *c, const char *name, struct config_sources *sources,
                 struct tandem_error *err) {
  const struct gpu_text *gpu = find(name);
  struct yaml_file f;
  if (c->gpu_chosen)
    return 0;
  char place[64];
  snprintf(place, sizeof place, "gpus/%s.yaml", name);
  start_anew(c, sources);
  TRY(yaml_open_text(&f, gpu->text, place, err));
  const int status = config_read(c, &f, yaml_root(&f), sources, err);
  yaml_close(&f);
  return status != 0 ? status : set_name(c, name, err);
}

int config_choose(struct tandem_config *c, const char *gpu, struct config_sources *sources,
                  struct tandem_error *err) {
  struct tandem_config read = *c;
  read.gpu_chosen = false;
  if (find(gpu) != NULL) {
    TRY(config_start(&read, gpu, sources, err));
  } else {
    if (!config_is_path(gpu) && access(gpu, F_OK) != 0 && !config_has_gpu(gpu, err))
      return -EINVAL;
    start_anew(&read, sources);
    TRY(config_load(&read, gpu, sources, err));
    TRY(set_name(&read, gpu, err));
  }
  *c = read;
  c->gpu_chosen = true;
  return 0;
}

enum tandem_status tandem_config_gpu(struct tandem_config *c, const char *gpu,
                                     struct tandem_error *err) {
  if (gpu != NULL)
    return config_choose(c, gpu, NULL, err) != 0 ? TANDEM_USAGE : TANDEM_OK;
  tandem_fail(err, -EINVAL, "a GPU needs a name, or the path of its description");
  return TANDEM_USAGE;
}
