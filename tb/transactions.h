/* Transactions between a back end and memory (docs/use/systemc.md). */
#ifndef TANDEM_TB_TRANSACTIONS_H
#define TANDEM_TB_TRANSACTIONS_H

#include <systemc>
#include <tlm>

#include <deque>
#include <vector>

#include "tb/c_models.h"

/* Warps' accesses: phases as in the base protocol, but an extension that must be there. */
struct warp_protocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

/* The instruction whose access it is: operands and addresses of all lanes, and where results go. */
struct warp_access : tlm::tlm_extension<warp_access> {
  sm_inst *inst = nullptr;
  tlm_extension_base *clone() const override { return new warp_access(*this); }
  void copy_from(const tlm_extension_base &from) override {
    inst = static_cast<const warp_access &>(from).inst;
  }
};

/* A back end's other commands to memory, by b_transport with TLM_IGNORE_COMMAND. */
struct memory_command : tlm::tlm_extension<memory_command> {
  enum { KERNEL, CTA, WARP, STORES, IDLE, ALL_IDLE, BUFFERS, BUFFER_DATA, BLOCK_GO } kind = KERNEL;
  const struct grid *grid = nullptr;        /* KERNEL: begins; nullptr: has ended */
  unsigned number = 0;                      /* CTA, BLOCK_GO; WARP, STORES: slot; warp */
  const uint32_t *role = nullptr;           /* CTA: where its role stands, on an SPU */
  const struct warp_place *place = nullptr; /* WARP: where it is in the grid */
  uint32_t stores = 0;                      /* answer to STORES: not acknowledged */
  bool idle = false;                        /* answer to IDLE, of this SM; ALL_IDLE */
  const struct cb_record *record = nullptr; /* answer to BUFFERS: what the SM asks of its SPU */
  const uint32_t *words = nullptr;          /* BUFFER_DATA: of its oldest read */
  tlm_extension_base *clone() const override { return new memory_command(*this); }
  void copy_from(const tlm_extension_base &from) override {
    *this = static_cast<const memory_command &>(from);
  }
  void free() override {} /* lives on the caller's stack */
};

/* A transaction with room for an instruction line, or what a DMA engine moves. */
struct request : tlm::tlm_generic_payload {
  warp_access *access = new warp_access;
  uint64_t line[16] = {};
  explicit request(tlm::tlm_mm_interface *pool) : tlm_generic_payload(pool) {
    set_extension(access); /* which frees it */
  }
};

/* Requests that are used again. */
class request_pool : public tlm::tlm_mm_interface {
public:
  request &get() {
    if (spare.empty()) {
      all.emplace_back(this);
      spare.push_back(&all.back());
    }
    request *r = spare.back();
    spare.pop_back();
    r->acquire();
    r->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return *r;
  }
  void free(tlm::tlm_generic_payload *r) override { spare.push_back(static_cast<request *>(r)); }

private:
  std::deque<request> all;
  std::vector<request *> spare;
};

#endif
