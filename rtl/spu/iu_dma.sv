// DMA engine of an interface unit: moves faces between memory and a communication buffer (CB)
// (docs/spu_units.md).
//
// A load unit fetches a tile and posts it; a store unit asks for a tile and drains it.  A virtual
// unit moves tiles of the spill region instead, and a put or get each keeps the two ends of it
// apart.  In global mode tiles go by the steps of the barrier of all units.
//
// kernel_start wins over everything; the registers survive it.
//
// Illegal: start outside IDLE, with a role that is none of an interface unit, or LOAD with two
// descriptors; next_cx, next_cy and cfg_valid outside IDLE; got, done and gdone outside the states
// that wait for them; in dma_passes, dma_walk and dma_tags: registers with other multiples than
// stated, a tile without rows, answers that nobody waits for.

module iu_dma #(
`ifdef FORMAL
  parameter logic [188:0] Registers = '0,
`endif
  parameter int unsigned Stores = 1,  // descriptors: 1 of a border lane; 2 of an SM, only stores
  parameter int unsigned Tags   = 16,  // a power of two up to 16; `outstanding` is not above it
  parameter int unsigned WordW  = 32   // bits of a word; less for proofs
) (
  input  logic           clk_i,
  input  logic           rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0]     bug_i,
`endif
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
  localparam logic [2:0] Idle   = 3'd0;
  localparam logic [2:0] Credit = 3'd1;
  localparam logic [2:0] Fetch  = 3'd2;
  localparam logic [2:0] Post   = 3'd3;
  localparam logic [2:0] Ask    = 3'd4;
  localparam logic [2:0] Drain  = 3'd5;
  localparam logic [2:0] Put    = 3'd6;
  localparam logic [2:0] Step   = 3'd7;

  localparam logic [2:0] RoleStore = 3'd3;

  logic [2:0]  state_q  /*verilator public_flat_rd*/;
  logic [15:0] count_q  /*verilator public_flat_rd*/;      // tiles (global mode: steps) that ended
  logic        store_q  /*verilator public_flat_rd*/;
  logic        virt_q  /*verilator public_flat_rd*/;
  logic        sel_q  /*verilator public_flat_rd*/;        // the descriptor
  logic [31:0] tile_addr_q  /*verilator public_flat_rd*/;

  // What the engine is or becomes: in IDLE as start says.
  logic idle, store, virt, sel;
  assign idle  = state_q == Idle;
  assign store = idle ? role_i == RoleStore : store_q;
  assign virt  = idle ? viu_i : virt_q;
  if (Stores == 2) begin : g_two
    assign sel = idle ? side_i : sel_q;
  end else begin : g_one
    assign sel = 1'b0;
    logic unused_side;
    assign unused_side = side_i;
  end

  logic [31:0] pass_base, spill_ptr, row_pitch, tile_pitch;
  logic [15:0] pass_first, tiles, steps;
  logic [12:0] rows, row_words;
  logic [13:0] face_words;
  logic [4:0]  outstanding;
  logic        globally, spilled;
  dma_passes #(
`ifdef FORMAL
    .Registers(Registers),
`endif
    .Stores(Stores)
  ) u_passes (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
    .start_i,
`endif
    .kernel_start_i,
    .cfg_valid_i,
    .cfg_reg_i,
    .cfg_data_i,
    .next_cx_i,
    .next_cy_i,
    .sel_i        (sel),
    .spilled_i    (spilled),
    .pass_base_o  (pass_base),
    .pass_first_o (pass_first),
    .spill_ptr_o  (spill_ptr),
    .rows_o       (rows),
    .row_words_o  (row_words),
    .row_pitch_o  (row_pitch),
    .tile_pitch_o (tile_pitch),
    .tiles_o      (tiles),
    .steps_o      (steps),
    .face_words_o (face_words),
    .global_o     (globally),
    .outstanding_o(outstanding)
  );

  // Count after this tile, and whether a tile is due: a store unit looks at the present step, a
  // load unit at the one that it enters.
  logic [15:0] count, due_count;
  logic        last, due;
  assign count     = idle ? '0 : count_q + 16'd1;
  assign last      = count == (globally ? steps : tiles);
  assign due_count = store ? count_q : count;
  assign due       = virt || (pass_first <= due_count &&
                              17'(due_count) < 17'(pass_first) + 17'(tiles));

  // The state in which a tile begins
  logic [2:0] first_state;
  always_comb begin
    first_state = Fetch;
    if (globally) begin
      if (store || !due) first_state = Step;
    end else if (store) begin
      first_state = Ask;
    end else if (virt) begin
      first_state = Credit;
    end
  end

  // FETCH and DRAIN end when all has been requested and answered.
  logic walk_over, tags_busy, tag_free, moving, moved;
  assign moving = state_q == Fetch || state_q == Drain;
  assign moved  = moving & walk_over & ~tags_busy;

  logic       tile_over, enters;
  logic [2:0] state;  // that it enters
  always_comb begin
    state     = state_q;
    enters    = 1'b0;
    tile_over = 1'b0;
    case (state_q)
      Idle: begin
        state  = first_state;
        enters = start_i & (tiles != '0);
      end
      Credit: begin
        state  = Fetch;
        enters = got_i;
      end
      Fetch: begin
        state  = globally ? Step : Post;
        enters = moved;
      end
      Post: tile_over = done_i;
      Ask: begin
        state  = Drain;
        enters = done_i;
      end
      Drain: begin
        state     = Put;
        enters    = moved & virt & ~globally;
        tile_over = moved & ~enters;
      end
      Put: tile_over = 1'b1;
      default: begin
        state     = Drain;
        enters    = gdone_i & store & due;
        tile_over = gdone_i & ~enters;
      end
    endcase
    if (tile_over) begin
      state  = last ? Idle : first_state;
      enters = 1'b1;
    end
  end
  assign spilled = moved & virt;

  logic fin_q, get_q, post_q, gpost_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= Idle;
      count_q     <= '0;
      store_q     <= 1'b0;
      virt_q      <= 1'b0;
      sel_q       <= 1'b0;
      tile_addr_q <= '0;
      fin_q       <= 1'b0;
      get_q       <= 1'b0;
      post_q      <= 1'b0;
      gpost_q     <= 1'b0;
    end else if (kernel_start_i) begin
      state_q <= Idle;
      fin_q   <= 1'b0;
      get_q   <= 1'b0;
      post_q  <= 1'b0;
      gpost_q <= 1'b0;
    end else begin
      if (enters) state_q <= state;
      fin_q   <= (tile_over & last) | (idle & start_i & (tiles == '0));
      get_q   <= enters && state == Credit;
      post_q  <= enters && (state == Post || state == Ask);
      gpost_q <= enters && state == Step;
      if (idle && start_i) begin
        store_q     <= store;
        virt_q      <= virt;
        sel_q       <= sel;
        count_q     <= '0;
        tile_addr_q <= pass_base;
      end
      if (tile_over)      count_q     <= count;
      if (moved && !virt) tile_addr_q <= tile_addr_q + tile_pitch;
    end
  end
  assign fin_o   = fin_q;
  assign get_o   = get_q;
  assign put_o   = state_q == Put;
  assign post_o  = post_q;
  assign gpost_o = gpost_q;

  // The walk over the tile
  logic        begins, takes;
  logic [31:0] tile_addr, segment;
  logic [12:0] tile_rows;
  logic [13:0] tile_words;
  logic [1:0]  first;
  logic [3:0]  sectors;
  logic [9:0]  octet;
  assign begins     = enters && (state == Fetch || state == Drain);
  assign tile_rows  = virt ? 13'd1 : rows;
  assign tile_words = virt ? face_words : {1'b0, row_words};
  assign takes      = moving & ~walk_over & tag_free;
  always_comb begin
    tile_addr = idle ? pass_base : tile_addr_q;
    if (virt) tile_addr = spill_ptr;
  end
  dma_walk u_walk (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .begin_i    (begins),
    .addr_i     (tile_addr),
    .rows_i     (tile_rows),
    .words_i    (tile_words),
    .row_pitch_i(row_pitch),
    .over_o     (walk_over),
    .segment_o  (segment),
    .first_o    (first),
    .sectors_o  (sectors),
    .octet_o    (octet),
    .take_i     (takes)
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
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .kernel_start_i,
    .outstanding_i (outstanding),
    .take_i        (takes),
    .reads_cb_i    (store_q),
    .segment_i     (segment),
    .first_i       (first),
    .sectors_i     (sectors),
    .octet_i       (octet),
    .free_o        (tag_free),
    .tag_o         (tag),
    .busy_o        (tags_busy),
    .pop_i         (c_rsp_i),
    .rsp_i         (m_rsp_i),
    .rsp_tag_i     (m_rsp_tag_i),
    .queued_i      (store_q),
    .done_tag_o    (done_tag),
    .done_segment_o(done_segment),
    .done_first_o  (done_first),
    .done_sectors_o(done_sectors),
    .done_octet_o  (done_octet)
  );

  // What happens: a write of the CB, a read of it, its answer, a request to memory.
  logic writes, reads, answers, requests;
  assign writes   = m_rsp_i & ~store_q;
  assign reads    = takes & store_q;
  assign answers  = c_rsp_i & store_q;
  assign requests = store_q ? answers : takes;

  // Words from memory to the CB in FETCH, from the CB to memory in DRAIN: one rotator, and one
  // register for the words, serve both.
  logic [9:0]   place_octet;
  logic [1:0]   place_first;
  logic [3:0]   place_sectors, groups;
  logic [31:0]  bank;
  logic [255:0] row;
  assign place_octet   = store_q ? octet : done_octet;
  assign place_first   = store_q ? first : done_first;
  assign place_sectors = store_q ? sectors : done_sectors;
  dma_place u_place (
    .octet_i  (place_octet),
    .first_i  (place_first),
    .sectors_i(place_sectors),
    .groups_o (groups),
    .bank_o   (bank),
    .row_o    (row)
  );

  logic [1:0]    to_cb, turn;
  logic [3:0]    keep;
  logic [32*WordW-1:0] words, turned;
  assign to_cb = done_first - done_octet[1:0];
  assign turn  = store_q ? 2'd0 - to_cb : to_cb;
  assign words = store_q ? c_data_i : m_rsp_data_i;
  always_comb begin
    keep = '0;
    if (writes)  keep = groups;
    if (answers) keep = done_sectors;
  end
  dma_rotator #(
    .Width(8*WordW)
  ) u_rotator (
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .turn_i(turn),
    .keep_i(keep),
    .data_i(words),
    .data_o(turned)
  );

  logic          p_valid_q, c_valid_q, m_valid_q, m_write_q;
  logic [31:0]   bank_q, m_addr_q;
  logic [255:0]  row_q;
  logic [3:0]    m_sectors_q, m_tag_q;
  logic [32*WordW-1:0] words_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      p_valid_q <= 1'b0;
      c_valid_q <= 1'b0;
      m_valid_q <= 1'b0;
    end else begin
      p_valid_q <= writes & ~kernel_start_i;
      c_valid_q <= reads & ~kernel_start_i;
      m_valid_q <= requests & ~kernel_start_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (writes || reads) begin
      bank_q <= bank;
      row_q  <= row;
    end
    if (writes || answers) words_q <= turned;
    if (requests) begin
      m_write_q   <= store_q;
      m_addr_q    <= store_q ? done_segment : segment;
      m_sectors_q <= store_q ? done_sectors : sectors;
      m_tag_q     <= store_q ? done_tag : tag;
    end
  end
  assign p_valid_o   = p_valid_q;
  assign p_bank_o    = bank_q;
  assign p_row_o     = row_q;
  assign p_data_o    = words_q;
  assign c_valid_o   = c_valid_q;
  assign c_bank_o    = bank_q;
  assign c_row_o     = row_q;
  assign m_valid_o   = m_valid_q;
  assign m_write_o   = m_write_q;
  assign m_addr_o    = m_addr_q;
  assign m_sectors_o = m_sectors_q;
  assign m_tag_o     = m_tag_q;
  assign m_data_o    = words_q;

  // Nothing to do, or nothing but to wait for an answer
  logic pulses, waits;
  assign pulses = fin_q | put_o | get_q | post_q | gpost_q | p_valid_q | c_valid_q | m_valid_q;
  always_comb begin
    waits = state_q != Put;
    if (moving) waits = tags_busy & (walk_over | ~tag_free);
  end
  assign quiet_o = waits & ~pulses;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      if (start_i) assert (idle && (role_i == RoleStore || (role_i == 3'd2 && Stores == 1)));
      if (start_i) assert (outstanding != '0);
      if (next_cx_i || next_cy_i || cfg_valid_i) assert (idle);
      if (got_i) assert (state_q == Credit);
      if (done_i) assert (state_q == Post || state_q == Ask);
      if (gdone_i) assert (state_q == Step);
      if (m_rsp_i) assert (moving);
      if (c_rsp_i) assert (state_q == Drain);
      // ack: nothing is posted or put with a request open.
      if (post_q || put_o) assert (!tags_busy);
    end
  end
`endif
endmodule
