/* The spu: of a launch: tiles, and the faces at the borders. */
#include "harness/gpu/spu/launch.h"

/* Reads a number of a face, which is required. */
static int number(struct yaml_file *f, yaml_node_t *map, const char *key, uint64_t least,
                  uint64_t most, uint32_t *to, struct tandem_error *err) {
  yaml_node_t *node = yaml_get(f, map, key);
  uint64_t v;
  if (node == NULL)
    return yaml_fail(f, map, err, "a face needs %s", key);
  TRY(yaml_uint(f, node, key, least, most, &v, err));
  *to = (uint32_t)v;
  return 0;
}

/* Reads the buffer of a face, and where in it the face begins. */
static int read_place(const struct launch_reader *r, yaml_node_t *map, struct tandem_face *face,
                      struct tandem_error *err) {
  struct yaml_file *f = r->file;
  yaml_node_t *name = yaml_get(f, map, "buffer"), *at = yaml_get(f, map, "offset");
  const char *text;
  uint64_t bytes, offset = 0;
  if (name == NULL)
    return yaml_fail(f, map, err, "a face needs a buffer");
  TRY(yaml_text(f, name, "buffer", &text, err));
  if (!r->buffer(r->user, text, &face->address, &bytes))
    return yaml_fail(f, name, err, "there is no buffer \"%s\"", text);
  if (at != NULL)
    TRY(yaml_uint(f, at, "offset (bytes)", 0, bytes, &offset, err));
  face->address += (uint32_t)offset;
  face->bytes = bytes - offset;
  return 0;
}

static int read_face(const struct launch_reader *r, yaml_node_t *map, const char *side,
                     struct tandem_face *face, struct tandem_error *err) {
  static const char *const keys[] = {"buffer",    "offset",     "rows",        "row_words",
                                     "row_pitch", "tile_pitch", "block_pitch", NULL};
  const struct {
    const char *key;
    uint64_t least, most;
    uint32_t *to;
  } numbers[] = {{"rows", 1, 8192, &face->rows},
                 {"row_words", 1, 8192, &face->row_words},
                 {"row_pitch", 0, UINT32_MAX, &face->row_pitch},
                 {"tile_pitch", 0, UINT32_MAX, &face->tile_pitch},
                 {"block_pitch", 0, UINT32_MAX, &face->block_pitch}};
  TRY(yaml_map(r->file, map, side, keys, err));
  TRY(read_place(r, map, face, err));
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    TRY(number(r->file, map, numbers[i].key, numbers[i].least, numbers[i].most, numbers[i].to,
               err));
  return 0;
}

int spu_launch_read(const struct launch_reader *r, yaml_node_t *map, void *part,
                    struct tandem_error *err) {
  static const char *const keys[] = {"tiles", "north", "south", "west", "east", NULL};
  struct tandem_spu *spu = part;
  uint64_t tiles;
  TRY(yaml_map(r->file, map, "spu", keys, err));
  yaml_node_t *n = yaml_get(r->file, map, "tiles");
  if (n == NULL)
    return yaml_fail(r->file, map, err, "spu needs tiles: how many each block computes");
  TRY(yaml_uint(r->file, n, "tiles", 1, UINT16_MAX, &tiles, err));
  spu->tiles = (uint32_t)tiles;
  for (unsigned i = 0; i < 4; i++) {
    yaml_node_t *face = yaml_get(r->file, map, keys[i + 1]);
    if (face != NULL)
      TRY(read_face(r, face, keys[i + 1], &spu->face[i], err));
  }
  return 0;
}
