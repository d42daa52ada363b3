// DMA engine of an interface unit: moves faces between memory and a communication buffer (CB)
// (docs/hardware/spu_dma.md).
//
// A load unit fetches a tile and posts it; a store unit asks for a tile and drains it.  A virtual
// unit moves tiles of the spill region instead, and a put or get each keeps the two ends of it
// apart.  In global mode tiles go by the steps of the barrier of all units.
//
// kernel_start wins over everything; the registers survive it.
//
// Illegal: next_cx, next_cy and cfg_valid outside IDLE; in dma_control: start and answers in states
// that do not wait for them; in dma_passes, dma_walk and dma_tags: registers with other multiples
// than stated, a tile without rows, answers that nobody waits for.

module iu_dma #(
`ifdef FORMAL
  parameter logic [270:0] Registers = '0,
`endif
  parameter int unsigned Stores = 1,  // descriptors: 1 of a border lane; 2 of an SM, only stores
  parameter int unsigned Tags   = 16,  // a power of two up to 16; `outstanding` is not above it
  parameter int unsigned WordW  = 32   // bits of a word; less for proofs
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           kernel_start_i,

  // Registers
  input  logic           cfg_valid_i,
  input  logic [4:0]     cfg_reg_i,
  input  logic [31:0]    cfg_data_i,

  // pass_seq
  input  logic           start_i,
  input  logic [2:0]     role_i,
  input  logic           viu_i,
  input  logic           side_i,
  input  logic           next_cx_i,
  input  logic           next_cy_i,
  output logic           fin_o,

  // spill_chan
  output logic           put_o,
  output logic           get_o,
  input  logic           got_i,

  // comm_pair
  output logic           post_o,
  input  logic           done_i,
  output logic           p_valid_o,
  output logic [31:0]    p_bank_o,
  output logic [255:0]   p_row_o,
  output logic [32*WordW-1:0] p_data_o,
  output logic           c_valid_o,
  output logic [31:0]    c_bank_o,
  output logic [255:0]   c_row_o,
  input  logic           c_rsp_i,
  input  logic [32*WordW-1:0] c_data_i,

  // spu_global
  output logic           gpost_o,
  input  logic           gdone_i,

  // Memory
  output logic           m_valid_o,
  output logic           m_write_o,
  output logic [31:0]    m_addr_o,    // of the segment of 128 bytes
  output logic [3:0]     m_sectors_o,
  output logic [3:0]     m_tag_o,
  output logic [32*WordW-1:0] m_data_o,
  input  logic           m_rsp_i,
  input  logic [3:0]     m_rsp_tag_i,
  input  logic [32*WordW-1:0] m_rsp_data_i,

  output logic           quiet_o
);
  logic [31:0] pass_base, spill_ptr, row_pitch, tile_pitch;
  logic [15:0] pass_first, tiles, steps;
  logic [12:0] rows, row_words;
  logic [13:0] face_words;
  logic [4:0]  outstanding;
  logic        globally, sel, spilled;
  dma_passes #(
`ifdef FORMAL
    .Registers(Registers),
`endif
    .Stores(Stores)
  ) u_passes (
    .clk_i, .rst_ni,
    .kernel_start_i, .cfg_valid_i, .cfg_reg_i, .cfg_data_i, .next_cx_i, .next_cy_i,
    .sel_i(sel), .spilled_i(spilled), .pass_base_o(pass_base), .pass_first_o(pass_first),
    .spill_ptr_o(spill_ptr), .rows_o(rows), .row_words_o(row_words), .row_pitch_o(row_pitch),
    .tile_pitch_o(tile_pitch), .tiles_o(tiles), .steps_o(steps), .face_words_o(face_words),
    .global_o(globally), .outstanding_o(outstanding)
  );

  logic        store, virt, begins, moving, walk_over, tags_busy, idle, drains, pulses;
  logic [31:0] tile_addr;
  dma_control #(
    .Stores(Stores)
  ) u_control (
    .clk_i, .rst_ni, .kernel_start_i, .start_i, .role_i, .viu_i, .side_i, .fin_o, .put_o, .get_o,
    .got_i, .post_o, .done_i, .gpost_o, .gdone_i, .sel_o(sel), .spilled_o(spilled),
    .pass_base_i(pass_base), .pass_first_i(pass_first), .spill_ptr_i(spill_ptr),
    .tile_pitch_i(tile_pitch), .tiles_i(tiles), .steps_i(steps), .global_i(globally),
    .store_o(store), .virt_o(virt), .begins_o(begins), .tile_addr_o(tile_addr),
    .moving_o(moving), .walk_over_i(walk_over), .tags_busy_i(tags_busy), .idle_o(idle),
    .drains_o(drains), .pulses_o(pulses)
  );

  // The walk over the tile
  logic        tag_free, takes;
  logic [31:0] segment;
  logic [12:0] tile_rows;
  logic [13:0] tile_words;
  logic [1:0]  first;
  logic [3:0]  sectors;
  logic [9:0]  octet;
  assign tile_rows  = virt ? 13'd1 : rows;
  assign tile_words = virt ? face_words : {1'b0, row_words};
  assign takes      = moving & ~walk_over & tag_free;
  dma_walk u_walk (
    .clk_i, .rst_ni,
    .begin_i(begins), .addr_i(tile_addr), .rows_i(tile_rows), .words_i(tile_words),
    .row_pitch_i(row_pitch), .over_o(walk_over), .segment_o(segment), .first_o(first),
    .sectors_o(sectors), .octet_o(octet), .take_i(takes)
  );

  // Its requests.  Done is the piece whose words are here: from memory in FETCH, from the CB in
  // DRAIN.
  logic [3:0]  tag, done_tag, done_sectors;
  logic [31:0] done_segment;
  logic [1:0]  done_first;
  logic [9:0]  done_octet;
  dma_tags #(
    .Tags(Tags)
  ) u_tags (
    .clk_i, .rst_ni,
    .kernel_start_i, .outstanding_i(outstanding), .take_i(takes), .reads_cb_i(store),
    .segment_i(segment), .first_i(first), .sectors_i(sectors), .octet_i(octet),
    .free_o(tag_free), .tag_o(tag), .busy_o(tags_busy), .pop_i(c_rsp_i), .rsp_i(m_rsp_i),
    .rsp_tag_i(m_rsp_tag_i), .queued_i(store), .done_tag_o(done_tag),
    .done_segment_o(done_segment), .done_first_o(done_first), .done_sectors_o(done_sectors),
    .done_octet_o(done_octet)
  );

  logic                p_valid, c_valid, m_valid;
  logic [31:0]         bank;
  logic [255:0]        row;
  logic [32*WordW-1:0] words;
  dma_words #(
    .WordW(WordW)
  ) u_words (
    .clk_i, .rst_ni,
    .kernel_start_i, .store_i(store), .takes_i(takes), .tag_i(tag), .segment_i(segment),
    .first_i(first), .sectors_i(sectors), .octet_i(octet), .done_tag_i(done_tag),
    .done_segment_i(done_segment), .done_first_i(done_first), .done_sectors_i(done_sectors),
    .done_octet_i(done_octet), .p_valid_o(p_valid), .c_valid_o(c_valid), .bank_o(bank),
    .row_o(row), .c_rsp_i, .c_data_i, .m_valid_o(m_valid), .m_write_o, .m_addr_o, .m_sectors_o,
    .m_tag_o, .m_rsp_i, .m_rsp_data_i, .words_o(words)
  );
  assign p_valid_o = p_valid;
  assign p_bank_o  = bank;
  assign p_row_o   = row;
  assign p_data_o  = words;
  assign c_valid_o = c_valid;
  assign c_bank_o  = bank;
  assign c_row_o   = row;
  assign m_valid_o = m_valid;
  assign m_data_o  = words;

  // Nothing to do, or nothing but to wait for an answer
  logic waits;
  assign waits   = ~moving | (tags_busy & (walk_over | ~tag_free));
  assign quiet_o = waits & ~(pulses | p_valid | c_valid | m_valid);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      if (start_i) start_expected: assert (outstanding != '0);
      if (next_cx_i || next_cy_i || cfg_valid_i) config_when_idle: assert (idle);
      if (m_rsp_i) memory_answer_expected: assert (moving);
      if (c_rsp_i) channel_answer_expected: assert (drains);
    end
  end
`endif
endmodule
