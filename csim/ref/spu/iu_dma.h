/* Reference of rtl/spu/iu_dma.sv (docs/hardware/spu_dma.md, iu_dma). */
#ifndef TANDEM_REF_IU_DMA_H
#define TANDEM_REF_IU_DMA_H

#include <stdbool.h>

#include "csim/ports/units.h"

enum { IU_DMA_DESCRIPTORS = 2, IU_DMA_TAGS = 16, IU_DMA_QUEUE = 4 };

enum iu_dma_register {
  IU_DMA_BASE,
  IU_DMA_PASS_PITCH,
  IU_DMA_ROWS,
  IU_DMA_ROW_WORDS,
  IU_DMA_ROW_PITCH,
  IU_DMA_TILE_PITCH,
  IU_DMA_TILES,
  IU_DMA_FIRST,
  IU_DMA_FIRST_STEP,
  IU_DMA_STEPS,
  IU_DMA_SPILL,
  IU_DMA_FACE_WORDS,
  IU_DMA_MODE,
  IU_DMA_OUTSTANDING,
  IU_DMA_REGISTERS
};
enum { IU_DMA_GLOBAL = 1, IU_DMA_VERTICAL = 2 /* bits of the mode */ };

enum iu_dma_state {
  IU_DMA_IDLE,
  IU_DMA_CREDIT,
  IU_DMA_FETCH,
  IU_DMA_POST,
  IU_DMA_ASK,
  IU_DMA_DRAIN,
  IU_DMA_PUT,
  IU_DMA_STEP
};

struct iu_dma_descriptor {
  uint32_t reg[IU_DMA_REGISTERS];
  uint32_t pass_base, spill_ptr;
  uint16_t pass_first;
};

/* Sectors of one segment of memory, and the words of the CB that belong to them. */
struct iu_dma_piece {
  uint32_t segment;      /* its address */
  unsigned first, count; /* sectors of 32 bytes */
  unsigned octet;        /* the first sector has CB words from 8 * octet on */
};

/* The part of a tile that is left. */
struct iu_dma_walk {
  uint32_t row_addr, addr;
  unsigned row_left, words_left;
  unsigned octet;
};

struct iu_dma_ref {
  unsigned stores; /* descriptors of stores: 1 or 2 */
  struct iu_dma_descriptor d[IU_DMA_DESCRIPTORS];
  enum iu_dma_state state;
  unsigned count; /* tiles, or steps, of the pass that are over */
  bool store, virt;
  unsigned sel; /* the descriptor */
  uint32_t tile_addr;
  struct iu_dma_walk walk;
  bool busy[IU_DMA_TAGS];
  struct iu_dma_piece tag[IU_DMA_TAGS];
  unsigned queue[IU_DMA_QUEUE], queued; /* tags whose words are being read */
  struct iu_dma_out out;                /* but for put and quiet */
};

/* stores: 1, or 2 for an SM's. */
void iu_dma_ref_reset(struct iu_dma_ref *e, unsigned stores);
void iu_dma_ref_eval(const struct iu_dma_ref *e, const struct iu_dma_in *in,
                     struct iu_dma_out *out);
void iu_dma_ref_step(struct iu_dma_ref *e, const struct iu_dma_in *in);
void iu_dma_ref_view(const struct iu_dma_ref *e, struct iu_dma_view *view);

#endif
