// Control of a DMA engine: which tile it moves, for whom it waits, and where the tile begins
// (docs/hardware/spu_dma.md).  The parent moves the tile: begins starts its walk, and it is over with
// walk_over and no tag busy.
//
// kernel_start wins over everything.
//
// Illegal: start outside IDLE, with a role that is none of an interface unit, or LOAD with two
// descriptors; got, done and gdone outside the states that wait for them.

module dma_control #(
  parameter int unsigned Stores = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        kernel_start_i,

  // pass_seq, spill_chan, comm_pair, spu_global
  input  logic        start_i,
  input  logic [2:0]  role_i,
  input  logic        viu_i,
  input  logic        side_i,
  output logic        fin_o,
  output logic        put_o,
  output logic        get_o,
  input  logic        got_i,
  output logic        post_o,
  input  logic        done_i,
  output logic        gpost_o,
  input  logic        gdone_i,

  // The descriptor
  output logic        sel_o,
  output logic        spilled_o,     // a tile of the spill region was moved
  input  logic [31:0] pass_base_i,
  input  logic [15:0] pass_first_i,
  input  logic [31:0] spill_ptr_i,
  input  logic [31:0] tile_pitch_i,
  input  logic [15:0] tiles_i,
  input  logic [15:0] steps_i,
  input  logic        global_i,

  // The tile
  output logic        store_o,       // from the CB to memory
  output logic        virt_o,        // of the spill region
  output logic        begins_o,      // its walk
  output logic [31:0] tile_addr_o,
  output logic        moving_o,
  input  logic        walk_over_i,
  input  logic        tags_busy_i,

  // State
  output logic        idle_o,
  output logic        drains_o,
  output logic        pulses_o       // one of its outputs to other units is high
);
  tandem_pkg::dma_e state_q  /*verilator public_flat_rd*/;
  logic [15:0]      count_q  /*verilator public_flat_rd*/;  // tiles (global mode: steps) that ended
  logic             store_q  /*verilator public_flat_rd*/;
  logic             virt_q  /*verilator public_flat_rd*/;
  logic             sel_q  /*verilator public_flat_rd*/;    // the descriptor
  logic [31:0]      tile_addr_q  /*verilator public_flat_rd*/;
  logic             fin_q, get_q, post_q, gpost_q;
  tandem_pkg::dma_e state_d;
  logic [15:0]      count_d;
  logic             store_d, virt_d, sel_d, fin_d, get_d, post_d, gpost_d;
  logic [31:0]      tile_addr_d;

  // The engine's role and descriptor; in IDLE those that start gives.
  logic idle, store, virt, sel;
  assign idle  = state_q == tandem_pkg::DmaIdle;
  assign store = idle ? role_i == tandem_pkg::RoleStore : store_q;
  assign virt  = idle ? viu_i : virt_q;
  if (Stores == 2) begin : g_two
    assign sel = idle ? side_i : sel_q;
  end else begin : g_one
    assign sel = 1'b0;
    logic unused_side;
    assign unused_side = side_i;
  end

  // Count after this tile, and whether a tile is due: a store unit looks at the present step, a
  // load unit at the one that it enters.
  logic [15:0] count, due_count;
  logic        last, due;
  assign count     = idle ? '0 : count_q + 16'd1;
  assign last      = count == (global_i ? steps_i : tiles_i);
  assign due_count = store ? count_q : count;
  assign due       = virt || (pass_first_i <= due_count &&
                              17'(due_count) < 17'(pass_first_i) + 17'(tiles_i));

  // The state in which a tile begins
  tandem_pkg::dma_e first_state;
  always_comb begin
    first_state = tandem_pkg::DmaFetch;
    if (global_i) begin
      if (store || !due) first_state = tandem_pkg::DmaStep;
    end else if (store) begin
      first_state = tandem_pkg::DmaAsk;
    end else if (virt) begin
      first_state = tandem_pkg::DmaCredit;
    end
  end

  // FETCH and DRAIN end when all has been requested and answered.
  logic moving, moved;
  assign moving = state_q == tandem_pkg::DmaFetch || state_q == tandem_pkg::DmaDrain;
  assign moved  = moving & walk_over_i & ~tags_busy_i;

  logic             tile_over, enters;
  tandem_pkg::dma_e state;  // that it enters
  always_comb begin
    state     = state_q;
    enters    = 1'b0;
    tile_over = 1'b0;
    case (state_q)
      tandem_pkg::DmaIdle: begin
        state  = first_state;
        enters = start_i & (tiles_i != '0);
      end
      tandem_pkg::DmaCredit: begin
        state  = tandem_pkg::DmaFetch;
        enters = got_i;
      end
      tandem_pkg::DmaFetch: begin
        state  = global_i ? tandem_pkg::DmaStep : tandem_pkg::DmaPost;
        enters = moved;
      end
      tandem_pkg::DmaPost: tile_over = done_i;
      tandem_pkg::DmaAsk: begin
        state  = tandem_pkg::DmaDrain;
        enters = done_i;
      end
      tandem_pkg::DmaDrain: begin
        state     = tandem_pkg::DmaPut;
        enters    = moved & virt & ~global_i;
        tile_over = moved & ~enters;
      end
      tandem_pkg::DmaPut: tile_over = 1'b1;
      default: begin
        state     = tandem_pkg::DmaDrain;
        enters    = gdone_i & store & due;
        tile_over = gdone_i & ~enters;
      end
    endcase
    if (tile_over) begin
      state  = last ? tandem_pkg::DmaIdle : first_state;
      enters = 1'b1;
    end
  end

  always_comb begin
    state_d     = enters ? state : state_q;
    fin_d       = (tile_over & last) | (idle & start_i & (tiles_i == '0));
    get_d       = enters && state == tandem_pkg::DmaCredit;
    post_d      = enters && (state == tandem_pkg::DmaPost || state == tandem_pkg::DmaAsk);
    gpost_d     = enters && state == tandem_pkg::DmaStep;
    store_d     = store_q;
    virt_d      = virt_q;
    sel_d       = sel_q;
    count_d     = count_q;
    tile_addr_d = tile_addr_q;
    if (kernel_start_i) begin
      state_d                         = tandem_pkg::DmaIdle;
      {fin_d, get_d, post_d, gpost_d} = '0;
    end else begin
      if (idle && start_i) begin
        store_d     = store;
        virt_d      = virt;
        sel_d       = sel;
        count_d     = '0;
        tile_addr_d = pass_base_i;
      end
      if (tile_over)      count_d     = count;
      if (moved && !virt) tile_addr_d = tile_addr_q + tile_pitch_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q                                        <= tandem_pkg::DmaIdle;
      {fin_q, get_q, post_q, gpost_q}                <= '0;
      {store_q, virt_q, sel_q, count_q, tile_addr_q} <= '0;
    end else begin
      state_q                         <= state_d;
      {fin_q, get_q, post_q, gpost_q} <= {fin_d, get_d, post_d, gpost_d};
      {store_q, virt_q, sel_q, count_q, tile_addr_q} <=
          {store_d, virt_d, sel_d, count_d, tile_addr_d};
    end
  end
  assign fin_o     = fin_q;
  assign get_o     = get_q;
  assign put_o     = state_q == tandem_pkg::DmaPut;
  assign post_o    = post_q;
  assign gpost_o   = gpost_q;
  assign pulses_o  = fin_q | put_o | get_q | post_q | gpost_q;
  assign idle_o    = idle;
  assign drains_o  = state_q == tandem_pkg::DmaDrain;
  assign moving_o  = moving;
  assign sel_o     = sel;
  assign spilled_o = moved & virt;

  assign store_o   = store_q;
  assign virt_o    = virt;
  assign begins_o  = enters && (state == tandem_pkg::DmaFetch || state == tandem_pkg::DmaDrain);
  always_comb begin
    tile_addr_o = idle ? pass_base_i : tile_addr_q;
    if (virt) tile_addr_o = spill_ptr_i;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      if (start_i)
        start_when_idle: assert (idle && (role_i == tandem_pkg::RoleStore ||
                                          (role_i == tandem_pkg::RoleLoad && Stores == 1)));
      if (got_i) credit_expected: assert (state_q == tandem_pkg::DmaCredit);
      if (done_i) done_expected: assert (state_q == tandem_pkg::DmaPost || state_q == tandem_pkg::DmaAsk);
      if (gdone_i) gdone_expected: assert (state_q == tandem_pkg::DmaStep);
      // ack: nothing is posted or put with a request open.
      if (post_q || put_o) ack_when_answered: assert (!tags_busy_i);
    end
  end
`endif
endmodule
