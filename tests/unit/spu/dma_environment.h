/* The surroundings of an iu_dma that keep its contract (docs/hardware/spu_dma.md): passes, the
 * CB, memory, and those who answer posts.  They check what the engine moves, by the specification's
 * formulae: each word of a tile once, to its place, and nothing else. */
#ifndef TANDEM_TEST_DMA_ENVIRONMENT_H
#define TANDEM_TEST_DMA_ENVIRONMENT_H

#include "csim/ports/units.h"
#include "tests/unit/testing.h"

enum {
  DMA_TAGS = 16,
  DMA_WORDS = 8192,          /* of a CB */
  DMA_PLACES = 4 * DMA_WORDS /* of the table of words that went to memory */
};

/* A descriptor's registers. */
struct dma_face {
  uint32_t base, pass_pitch, rows, row_words, row_pitch, tile_pitch, tiles, first, first_step;
  uint32_t steps, spill, face_words;
  bool global, vertical;
  uint32_t spilled; /* virtual tiles that were moved since kernel_start */
};

struct dma_request {
  bool open, write;
  uint32_t addr;
  unsigned wait, serial; /* cycles until its answer may come; its number */
};

/* A word that a drain has written. */
struct dma_word {
  uint32_t addr, value;
  unsigned drain, times;
};

/* An answer that is owed. */
struct dma_answer {
  bool owed;
  unsigned wait;
};

struct dma_environment {
  struct rng rng;
  unsigned stores;
  unsigned slow; /* answers take so many cycles at most */
  unsigned outstanding;
  struct dma_face face[2];
  unsigned cfg; /* registers still to write */
  /* The passes. */
  unsigned npx, npy, cx, cy, pause;
  bool fresh;     /* kernel_start is to come */
  bool runs, ran; /* a role; it had one in this pass */
  bool large;     /* its tiles are of any size */
  bool load;      /* the kernel's role, if there is one descriptor */
  bool store, virt, put;
  unsigned sel, count; /* tiles, of global mode steps, that are over */
  struct dma_answer post, get, step;
  /* The CB. */
  uint32_t cb[DMA_WORDS];
  uint8_t written[DMA_WORDS]; /* times, in this tile */
  unsigned fetched;           /* words, in this tile */
  struct {
    bool valid;
    uint64_t bank, row[4];
  } read[2]; /* of the last two cycles */
  /* Memory. */
  struct dma_request request[DMA_TAGS];
  struct dma_word word[DMA_PLACES];
  unsigned drain, drained; /* its number; words that it has written */
  bool draining;
  unsigned serial;
  /* Events, for coverage. */
  unsigned overtaken, checked, virtual_checked, skipped, aborted, full;
};

/* At the start of a kernel.  stores: descriptors. */
void dma_environment_init(struct dma_environment *e, uint64_t seed, unsigned stores);
/* Takes the outputs of a cycle and gives its inputs. */
void dma_environment_step(struct dma_environment *e, const struct iu_dma_out *out,
                          struct iu_dma_in *in);

/* The word that memory has in an address before it is written. */
uint32_t dma_memory(uint32_t addr);

#endif
