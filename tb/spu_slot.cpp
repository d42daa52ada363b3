/* Between a slot of an SPU's grid and its SM. */
#include "tb/spu_slot.h"

enum { CTA_SLOT = 0 /* an SM of this grid has one block */ };

void spu_slot::step() {
  struct sm_block_events events;
  take_outputs();
  give_requests();
  exit_i.write(sm.block_events(&events) && events.ended[CTA_SLOT] != 0);
  const bool gone = taken && !sm.resident(CTA_SLOT);
  gone_i.write(gone);
  taken = taken && !gone;
  taken_i.write(offer_o.read() != 0 && take_offer());
}

void spu_slot::take_outputs() {
  if (cb_rsp_o.read() != 0) {
    uint32_t words[CB_BANKS];
    for (int i = 0; i < CB_BANKS; i++)
      words[i] = static_cast<uint32_t>(cb_data_o.read().get_word(i));
    sm.memory.buffer_data(words);
  }
  if (ack_o.read() != 0)
    sm.memory.block_go(CTA_SLOT);
}

void spu_slot::give_requests() {
  const struct cb_record &r = sm.memory.record();
  cb_valid_i.write(r.pass.banks != 0);
  if (r.pass.banks != 0)
    give_access(r.pass);
  arrive_i.write(r.arrival.dirs != 0);
  arrive_dirs_i.write(r.arrival.dirs);
}

/* Row r of bank b is byte b of the pin. */
void spu_slot::give_access(const struct cb_pass &pass) {
  row_value<256> rows;
  row_value<1024> data;
  for (int b = 0; b < CB_BANKS; b += 4)
    rows.set_word(b / 4, static_cast<uint32_t>(pass.row[b]) | pass.row[b + 1] << 8 |
                             pass.row[b + 2] << 16 | static_cast<uint32_t>(pass.row[b + 3]) << 24);
  for (int b = 0; b < CB_BANKS; b++)
    data.set_word(b, pass.data[b]);
  cb_write_i.write(pass.write);
  cb_side_i.write(pass.side);
  cb_bank_i.write(pass.banks);
  cb_row_i.write(rows);
  cb_data_i.write(data);
}

/* The CTA of the pass, if the SM has room for it. */
bool spu_slot::take_offer() {
  struct sm_room room = SM_ROOM_ANY;
  uint32_t id[3];
  sm.room(&room);
  room.slots &= 1U << CTA_SLOT;
  if (!sm_room_fits(&room))
    return false;
  tb_spu_block_id(gpu, number, cx_o.read(), cy_o.read(), id);
  sm.launch(id, room);
  tb_spu_block_registers(gpu, cx_o.read(), cy_o.read(), sm.spu_registers(CTA_SLOT));
  taken = true;
  return true;
}
