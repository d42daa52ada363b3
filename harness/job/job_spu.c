/* The spu: of a launch: tiles, and the faces at the borders. */
#include <string.h>

#include "harness/job/job.h"

/* Reads a number of a face, which is required. */
static int number(struct tandem_job *job, yaml_node_t *map, const char *key, uint64_t least,
                  uint64_t most, uint32_t *to, struct tandem_error *err) {
  yaml_node_t *node = yaml_get(&job->file, map, key);
  uint64_t v;
  if (node == NULL)
    return yaml_fail(&job->file, map, err, "a face needs %s", key);
  int status = yaml_uint(&job->file, node, key, least, most, &v, err);
  if (status == 0)
    *to = (uint32_t)v;
  return status;
}

static int read_face(struct tandem_job *job, yaml_node_t *map, const char *side,
                     struct tandem_face *f, struct tandem_error *err) {
  static const char *const keys[] = {"buffer",    "offset",     "rows",        "row_words",
                                     "row_pitch", "tile_pitch", "block_pitch", NULL};
  uint64_t offset = 0;
  int status = yaml_map(&job->file, map, side, keys, err);
  if (status != 0)
    return status;
  yaml_node_t *name = yaml_get(&job->file, map, "buffer"),
              *at = yaml_get(&job->file, map, "offset");
  const char *text;
  if (name == NULL)
    return yaml_fail(&job->file, map, err, "a face needs a buffer");
  status = yaml_text(&job->file, name, "buffer", &text, err);
  const struct job_buffer *b = status == 0 ? job_find(job, text) : NULL;
  if (status == 0 && b == NULL)
    return yaml_fail(&job->file, name, err, "there is no buffer \"%s\"", text);
  if (status == 0 && at != NULL)
    status = yaml_uint(&job->file, at, "offset (bytes)", 0, b->bytes, &offset, err);
  if (status == 0)
    status = number(job, map, "rows", 1, 8192, &f->rows, err);
  if (status == 0)
    status = number(job, map, "row_words", 1, 8192, &f->row_words, err);
  if (status == 0)
    status = number(job, map, "row_pitch", 0, UINT32_MAX, &f->row_pitch, err);
  if (status == 0)
    status = number(job, map, "tile_pitch", 0, UINT32_MAX, &f->tile_pitch, err);
  if (status == 0)
    status = number(job, map, "block_pitch", 0, UINT32_MAX, &f->block_pitch, err);
  if (status != 0)
    return status;
  f->address = b->address + (uint32_t)offset;
  f->bytes = b->bytes - offset;
  return 0;
}

int job_spu(struct tandem_job *job, yaml_node_t *map, struct job_step *step,
            struct tandem_error *err) {
  static const char *const keys[] = {"tiles", "north", "south", "west", "east", NULL};
  uint64_t tiles;
  if (map == NULL)
    return 0;
  int status = yaml_map(&job->file, map, "spu", keys, err);
  yaml_node_t *n = status == 0 ? yaml_get(&job->file, map, "tiles") : NULL;
  if (status == 0 && n == NULL)
    return yaml_fail(&job->file, map, err, "spu needs tiles: how many each block computes");
  if (status == 0)
    status = yaml_uint(&job->file, n, "tiles", 1, UINT16_MAX, &tiles, err);
  if (status != 0)
    return status;
  step->spu.tiles = (uint32_t)tiles;
  for (unsigned i = 0; status == 0 && i < 4; i++) {
    yaml_node_t *face = yaml_get(&job->file, map, keys[i + 1]);
    if (face != NULL)
      status = read_face(job, face, keys[i + 1], &step->spu.face[i], err);
  }
  step->launch.spu = &step->spu;
  return status;
}
