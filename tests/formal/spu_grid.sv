// spu_grid, 2 x 1 slots: two passes of blocks that synchronise W, then E, for each tile.
//
// progress: all passes are over after at most Bound cycles.  lost: when a slot comes to its next
// pass, its links have handed over each tile that was posted, and its consumers have acquired each;
// when all passes are over, so have all links.  order: the tile that a consumer acquires is the one
// behind its last.  spill: no tile is restored before it is spilled, and in the end each one is.
//
// A block has one warp and touches no buffer; a face is a sector.  Everything that blocks do and
// each answer of memory takes up to three cycles more, chosen anew each time.  The northern and
// southern lanes have no face.
module spu_grid_formal #(
  parameter int unsigned Mode        = 0,    // of the links
  parameter int unsigned Overlap     = 1,
  parameter int unsigned LastColumns = 2,    // of the second pass
  parameter int unsigned Tiles       = 2,
  parameter int unsigned Delay       = 3,    // cycles at most
  parameter int unsigned Steps       = 3,    // of a pass, with Mode 2
  parameter int unsigned Bound       = 160,
  parameter int unsigned Never       = 0     // claims that the passes are never over
) (
  input logic       clk_i,
  input logic [1:0] now_i,  // a slot's block goes on
  input logic [2:0] rsp_i   // an engine's answer comes: of slot 1, of lanes W, E
);
  localparam int unsigned Across = 3;  // links from west to east
  localparam int unsigned Links  = 7;
  localparam bit          Global = Mode == 2;
  localparam int unsigned Last   = (Global ? Steps : Tiles) - 1;

  localparam logic [270:0] Face = {1'b0, Global, 16'(Steps), 16'd0, 16'd0, 32'd0, 5'd1, 16'(Tiles),
                                   14'd8, 13'd8, 13'd1, 32'd0, 32'd32, 32'd0, 32'd0};
  localparam logic [270:0] None = 271'd1 << 184;

  logic [7:0] step_q;
  initial step_q = '0;
  always_ff @(posedge clk_i) if (step_q != '1) step_q <= step_q + 8'd1;
  logic kernel_start, running;
  assign kernel_start = step_q == 8'd1;
  assign running      = step_q > 8'd2;  // links too have taken notice of it

  logic [1:0]         offer, taken, exits, gone, arrive, ack, bad;
  logic [13:0]        dirs;
  logic [31:0]        cx;
  logic [1:0]         slot_valid, slot_rsp;
  logic [7:0]         slot_tag;
  logic [5:0]         lane_valid, lane_rsp, put, got;
  logic [23:0]        lane_tag;
  logic [6*Links-1:0] links;
  logic               done;
  spu_grid #(
    .Columns(2),
    .Rows(1),
    .Words(256),
    .SlotRegisters({Face, None}),
    .LaneRegisters({Face, Face, None, None, None, None})
  ) u_grid (
    .clk_i,
    .rst_ni           (1'b1),
    .kernel_start_i   (kernel_start),
    .mode_i           (2'(Mode)),
    .overlap_i        (1'(Overlap)),
    .npx_i            (16'd2),
    .npy_i            (16'd1),
    .lastc_i          (7'(LastColumns)),
    .lastr_i          (7'd1),
    .global_hops_i    (5'd2),
    .cfg_slot_i       ('0),
    .cfg_lane_i       ('0),
    .cfg_reg_i        ('0),
    .cfg_data_i       ('0),
    .offer_o          (offer),
    .cx_o             (cx),
    .taken_i          (taken),
    .warps_i          ({2{6'd1}}),
    .exit_i           (exits),
    .gone_i           (gone),
    .arrive_i         (arrive),
    .arrive_dirs_i    (dirs),
    .ack_o            (ack),
    .bad_o            (bad),
    .cb_valid_i       ('0),
    .cb_write_i       ('0),
    .cb_side_i        ('0),
    .cb_bank_i        ('0),
    .cb_row_i         ('0),
    .cb_data_i        ('0),
    .m_valid_o        (slot_valid),
    .m_tag_o          (slot_tag),
    .m_rsp_i          (slot_rsp),
    .m_rsp_tag_i      (slot_tag),
    .m_rsp_data_i     ('0),
    .lane_m_valid_o   (lane_valid),
    .lane_m_tag_o     (lane_tag),
    .lane_m_rsp_i     (lane_rsp),
    .lane_m_rsp_tag_i (lane_tag),
    .lane_m_rsp_data_i('0),
    .links_o          (links),
    .put_o            (put),
    .got_o            (got),
    .done_o           (done)
  );

  // Blocks: taken, then W and E (or the barrier of all) for each tile, exit, gone.
  localparam logic [2:0] Offered = 3'd0, West = 3'd1, AtWest = 3'd2, East = 3'd3, AtEast = 3'd4,
                         Exit = 3'd5, Gone = 3'd6;
  for (genvar s = 0; s < 2; s++) begin : g_block
    logic [2:0] phase_q;
    logic [1:0] waited_q;
    logic [2:0] tile_q;
    logic       acts, goes, tile_over;
    always_comb begin
      acts      = phase_q == Offered ? offer[s] : phase_q == West || phase_q == East;
      goes      = phase_q == AtWest || phase_q == AtEast ? ack[s] :
                  phase_q >= Exit || (acts && (now_i[s] || waited_q == 2'(Delay)));
      tile_over = ack[s] && phase_q == (Global ? AtWest : AtEast);
    end
    always_ff @(posedge clk_i) begin
      if (kernel_start) begin
        phase_q  <= Offered;
        waited_q <= '0;
        tile_q   <= '0;
      end else begin
        waited_q <= acts && !goes ? waited_q + 2'd1 : '0;
        if (goes) phase_q <= phase_q == Gone ? Offered : phase_q + 3'd1;
        if (tile_over) begin
          phase_q <= tile_q == 3'(Last) ? Exit : West;
          tile_q  <= tile_q == 3'(Last) ? '0 : tile_q + 3'd1;
        end
      end
    end
    assign taken[s]  = goes && phase_q == Offered;
    assign arrive[s] = goes && (phase_q == West || phase_q == East);
    assign exits[s]  = goes && phase_q == Exit;
    assign gone[s]   = goes && phase_q == Gone;
    assign dirs[7*s +: 7] = Global ? 7'd64 : phase_q == West ? 7'd4 : 7'd8;
  end

  // Memory: an engine has one request open.
  logic [2:0] valid, rsp;
  assign valid = {lane_valid[5:4], slot_valid[1]};
  for (genvar e = 0; e < 3; e++) begin : g_memory
    logic       open_q, open;
    logic [1:0] waited_q;
    assign open   = open_q | valid[e];
    assign rsp[e] = open && (rsp_i[e] || waited_q == 2'(Delay));
    always_ff @(posedge clk_i) begin
      open_q   <= open & ~rsp[e] & ~kernel_start;
      waited_q <= open && !rsp[e] && !kernel_start ? waited_q + 2'd1 : '0;
    end
  end
  assign slot_rsp = {rsp[0], 1'b0};
  assign lane_rsp = {rsp[2:1], 4'd0};

  // Tiles of a link: posted, handed over as the producer and as the consumer see it, mod 8; of each
  // buffer the number of its tile.
  logic [3*Across-1:0] posted, given, acquired;
  for (genvar l = 0; l < Across; l++) begin : g_link
    logic       p_post, c_post, p_done, c_done, w, r, post_q;
    logic [2:0] posted_q, given_q, acquired_q, number0_q, number1_q;
    assign {r, w, c_done, p_done, c_post, p_post} = links[6*l +: 6];
    always_ff @(posedge clk_i) begin
      if (!running) begin
        post_q     <= 1'b0;
        posted_q   <= '0;
        given_q    <= '0;
        acquired_q <= '0;
      end else begin
        post_q     <= p_post;
        posted_q   <= posted_q + 3'(post_q);
        given_q    <= given_q + 3'(p_done);
        acquired_q <= acquired_q + 3'(c_done);
      end
      if (post_q && !w) number0_q <= posted_q;
      if (post_q && w)  number1_q <= posted_q;
    end
    assign posted[3*l +: 3]   = posted_q;
    assign given[3*l +: 3]    = given_q;
    assign acquired[3*l +: 3] = acquired_q;
    // order
    always_comb if (running && c_done)
      assert (posted_q != acquired_q && (r ? number1_q : number0_q) == acquired_q);
    logic unused_post;
    assign unused_post = c_post;
  end

  // lost, of the slot's western and eastern link
  if (!Global) begin : g_lost
    for (genvar s = 0; s < 2; s++) begin : g_slot
      logic [2:0] due;
      assign due = 3'(cx[16*s +: 16]) * 3'(Tiles);
      always_comb begin
        if (running && offer[s]) begin
          assert (acquired[3*s +: 3] == due);
          assert (posted[3*s+3 +: 3] == due && given[3*s+3 +: 3] == due);
          if (Mode == 0) assert (given[3*s +: 3] == due && acquired[3*s+3 +: 3] == due);
        end
      end
    end
  end

  // spill
  logic [2:0] put_q, got_q;
  always_ff @(posedge clk_i) begin
    put_q <= !running ? '0 : put_q + 3'(put[5]);
    got_q <= !running ? '0 : got_q + 3'(got[4]);
  end

  localparam logic [2:0] All   = Global ? '0 : 3'(2 * Tiles);
  localparam logic [2:0] AtEnd = LastColumns == 2 ? All : Global ? '0 : 3'(Tiles);
  always_comb begin
    if (running) begin
      assert (step_q < 8'(Bound) || done);
      assert (Never == 0 || !done);
      assert (bad == '0 && put[4:0] == '0);
      assert (got_q <= put_q);
      if (done) begin
        assert (posted == {AtEnd, All, All} && given == posted && acquired == posted);
        assert (put_q == (Global ? '0 : 3'(Tiles)) && got_q == put_q);
      end
    end
  end
endmodule
