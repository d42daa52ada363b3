// iu_dma: in any passes, in some of which it may have no role or be virtual, each word of each tile
// is requested once and moved once, to its place; no more than Outstanding requests are open;
// nothing is posted, put or over before all of a tile is answered; nothing moves while a post
// waits, and no tile is restored before its got.
//
// Words have a bit: of the one that is followed, at the same place of each tile, 1, of all others
// 0.  The registers are constants; answers of memory come at any time and in any order, those of
// the CB two cycles after the request.
module iu_dma_formal #(
  parameter int unsigned Store       = 0,
  parameter int unsigned Virtual     = 2,  // never, always, or as pass_seq may say
  parameter int unsigned Global      = 0,
  parameter int unsigned Vertical    = 0,
  parameter int unsigned PassesX     = 1,
  parameter int unsigned PassesY     = 1,
  parameter int unsigned Rows        = 4,
  parameter int unsigned RowWords    = 8,
  parameter int unsigned Tiles       = 1,
  parameter int unsigned Steps       = 2,  // of a pass, with Global
  parameter int unsigned Outstanding = 4,
  parameter int unsigned Never       = 0   // claims that it never serves all passes
) (
  input logic       clk_i,
  input logic       begin_i,      // the unit begins or leaves a pass
  input logic       idle_i,       // it has no role there
  input logic       viu_i,
  input logic       got_i,
  input logic       done_i,
  input logic       gdone_i,
  input logic       m_rsp_i,
  input logic [1:0] m_rsp_tag_i,
  input logic [7:0] row_i,        // the word
  input logic [7:0] column_i,
  input logic [4:0] any_bank_i
);
  // Rows begin at each of the four sectors, and one lies across two segments.
  localparam int unsigned Base      = 'h1060;
  localparam int unsigned PassPitch = 'h2740;
  localparam int unsigned RowPitch  = 'h0a0;
  localparam int unsigned TilePitch = 'h4e0;
  localparam int unsigned Words     = Rows * RowWords;
  localparam int unsigned Spill     = 'h82080;
  localparam int unsigned First     = 0;  // with Global, step of the first tile
  localparam int unsigned FirstStep = 1;
  localparam int unsigned Ends      = Global != 0 ? Steps : Tiles;
  localparam bit          Stores    = Store != 0;

  localparam logic [270:0] Registers = {1'(Vertical), 1'(Global), 16'(Steps), 16'(FirstStep),
                                        16'(First), 32'(PassPitch), 5'(Outstanding), 16'(Tiles),
                                        14'(Words), 13'(RowWords), 13'(Rows), 32'(Spill),
                                        32'(TilePitch), 32'(RowPitch), 32'(Base)};

  // No reset: the engine begins with kernel_start.  The word is chosen then.
  logic       run_q, kernel_start;
  logic [7:0] row_q, column_q;
  logic [4:0] any_bank_q;
  initial run_q = 1'b0;
  assign kernel_start = ~run_q;
  always_ff @(posedge clk_i) begin
    run_q <= 1'b1;
    if (!run_q) begin
      row_q      <= row_i % 8'(Rows);
      column_q   <= column_i % 8'(RowWords);
      any_bank_q <= any_bank_i;
    end
  end

  logic          fin, put, get, post, gpost, p_valid, c_valid, m_valid, m_write, c_rsp;
  logic [31:0]   p_bank, c_bank, m_addr;
  logic [255:0]  p_row, c_row;
  logic [31:0]   p_data, m_data, m_rsp_data, c_data;
  logic [3:0]    m_sectors, m_tag;
  logic          quiet, got, done, gdone, rsp;
  logic [1:0]    rsp_tag;
  // Passes: the unit starts or is left out, and goes on when it has finished.
  localparam logic [1:0] Begin = 2'd0, Run = 2'd1, Leave = 2'd2, Over = 2'd3;
  logic [1:0] phase_q, x_q, y_q;
  logic       served_q, viu_q, viu, start, next_cx, next_cy, leaves, last_x;
  assign viu     = Virtual == 2 ? viu_i : Virtual == 1;
  assign start   = run_q && phase_q == Begin && begin_i && !idle_i;
  assign leaves  = run_q && phase_q == Leave && begin_i;
  assign last_x  = x_q == 2'(PassesX - 1);
  assign next_cx = leaves & ~last_x;
  assign next_cy = leaves && last_x && y_q != 2'(PassesY - 1);
  always_ff @(posedge clk_i) begin
    if (kernel_start) begin
      phase_q  <= Begin;
      served_q <= 1'b1;
      x_q      <= '0;
      y_q      <= '0;
    end else begin
      if (start) viu_q <= viu;
      if (phase_q == Begin && begin_i && idle_i) served_q <= 1'b0;
      case (phase_q)
        Begin:   if (begin_i) phase_q <= idle_i ? Leave : Run;
        Run:     if (fin) phase_q <= Leave;
        Leave:   if (begin_i) phase_q <= next_cx || next_cy ? Begin : Over;
        default: phase_q <= Over;
      endcase
      if (next_cx) x_q <= x_q + 2'd1;
      if (next_cy) {x_q, y_q} <= {2'd0, y_q + 2'd1};
    end
  end

  // The tile: where it begins; in global mode whether one is due at this step
  logic [1:0]  pass;
  logic [31:0] place_q, spill_q, address;
  logic [2:0]  step_q, first;
  logic        due, over, moved;
  logic [12:0] place;
  assign pass    = Vertical != 0 ? x_q : y_q;
  assign first   = 3'(First) + 3'(pass) * 3'(FirstStep);
  assign due     = Global == 0 || viu_q || (first <= step_q && step_q < first + 3'(Tiles));
  assign place   = 13'(row_q) * 13'(RowWords) + 13'(column_q);
  assign address = viu_q ? spill_q + {17'd0, place, 2'd0} :
                           place_q + 32'(row_q) * 32'(RowPitch) + {22'd0, column_q, 2'd0};
  always_ff @(posedge clk_i) begin
    if (kernel_start) spill_q <= 32'(Spill);
    else if (over && due && viu_q) spill_q <= spill_q + 32'(4 * Words);
    if (start)                     place_q <= 32'(Base) + 32'(pass) * 32'(PassPitch);
    else if (over && due && !viu_q) place_q <= place_q + 32'(TilePitch);
  end

  iu_dma #(
    .Registers(Registers),
    .Stores   (1),
    .Tags     (4),
    .WordW    (1)
  ) u_iu_dma (
    .clk_i,
    .rst_ni        (1'b1),
    .kernel_start_i(kernel_start),
    .cfg_valid_i   (1'b0),
    .cfg_reg_i     ('0),
    .cfg_data_i    ('0),
    .start_i       (start),
    .role_i        (Stores ? 3'd3 : 3'd2),
    .viu_i         (viu),
    .side_i        (1'b0),
    .next_cx_i     (next_cx),
    .next_cy_i     (next_cy),
    .fin_o         (fin),
    .put_o         (put),
    .get_o         (get),
    .got_i         (got),
    .post_o        (post),
    .done_i        (done),
    .p_valid_o     (p_valid),
    .p_bank_o      (p_bank),
    .p_row_o       (p_row),
    .p_data_o      (p_data),
    .c_valid_o     (c_valid),
    .c_bank_o      (c_bank),
    .c_row_o       (c_row),
    .c_rsp_i       (c_rsp),
    .c_data_i      (c_data),
    .gpost_o       (gpost),
    .gdone_i       (gdone),
    .m_valid_o     (m_valid),
    .m_write_o     (m_write),
    .m_addr_o      (m_addr),
    .m_sectors_o   (m_sectors),
    .m_tag_o       (m_tag),
    .m_data_o      (m_data),
    .m_rsp_i       (rsp),
    .m_rsp_tag_i   (4'(rsp_tag)),
    .m_rsp_data_i  (m_rsp_data),
    .quiet_o       (quiet)
  );

  // Memory: requests that are open, the sectors requested of the tile, and the request of the
  // word.
  logic [3:0]  open_q, open, asked;
  logic [2:0]  many;
  logic        hit, hit_rsp, hit_open_q;
  logic [3:0]  hit_tag_q;
  logic [1:0]  hits_q, hits;
  logic [9:0]  sectors_q, sectors;
  assign asked   = 4'(m_valid) << m_tag;
  assign open    = open_q | asked;
  assign hit     = m_valid && m_addr == {address[31:7], 7'd0} && m_sectors[address[6:5]];
  assign hits    = hits_q + 2'(hit);
  assign rsp     = m_rsp_i && open[m_rsp_tag_i];
  assign rsp_tag = m_rsp_tag_i;
  assign hit_rsp = rsp && (hit ? 4'(rsp_tag) == m_tag : hit_open_q && 4'(rsp_tag) == hit_tag_q);
  always_comb begin
    many = '0;
    for (int i = 0; i < 4; i++) many = many + 3'(open[i]);
    sectors = sectors_q;
    for (int s = 0; s < 4; s++) sectors = sectors + 10'(m_valid & m_sectors[s]);
    m_rsp_data = 32'(!Stores && hit_rsp) << address[6:2];
  end

  // The CB: writes to the word's place, and reads of it under way.
  logic       lands, reads, ours, row_ours;
  logic [1:0] landed_q, landed;
  logic [1:0] valid_q, reads_q;
  logic [7:0] p_row_there, c_row_there, any_row;
  assign p_row_there = p_row[8*32'(place[4:0]) +: 8];
  assign c_row_there = c_row[8*32'(place[4:0]) +: 8];
  assign any_row     = p_row[8*32'(any_bank_q) +: 8];
  assign lands       = p_valid && p_bank[place[4:0]] && p_row_there == place[12:5];
  assign reads       = c_valid && c_bank[place[4:0]] && c_row_there == place[12:5];
  assign ours        = p_data[place[4:0]];
  assign c_data      = 32'(Stores && reads_q[1]) << place[4:0];
  // No word beyond the tile is touched; reads and writes have their banks and rows from one
  // register.
  assign row_ours    = !p_bank[any_bank_q] || 32'({any_row, any_bank_q}) < Words;
  assign landed = landed_q + 2'(lands);
  assign c_rsp  = valid_q[1];

  // The posts and the got that the unit waits for, and their tile.  A load unit's tile is over with its post, a store
  // unit's with put, or else with fin or the post for the next one.
  logic post_wait_q, gpost_wait_q, get_wait_q, got_q, drains_q;
  assign done  = done_i & (post | post_wait_q);
  assign gdone = gdone_i & (gpost | gpost_wait_q);
  assign got   = got_i & (get | get_wait_q);
  assign over  = Stores ? drains_q & (put | post | gpost | fin) : post | gpost;
  always_ff @(posedge clk_i) begin
    if (kernel_start) begin
      open_q       <= '0;
      hit_open_q   <= 1'b0;
      valid_q      <= '0;
      reads_q      <= '0;
      post_wait_q  <= 1'b0;
      gpost_wait_q <= 1'b0;
      get_wait_q   <= 1'b0;
      got_q        <= 1'b0;
      drains_q     <= 1'b0;
    end else begin
      open_q       <= open & ~(4'(rsp) << rsp_tag);
      hit_open_q   <= (hit_open_q | hit) & ~hit_rsp;
      if (hit) hit_tag_q <= m_tag;
      valid_q      <= {valid_q[0], c_valid};
      reads_q      <= {reads_q[0], reads};
      post_wait_q  <= (post_wait_q | post) & ~done;
      gpost_wait_q <= (gpost_wait_q | gpost) & ~gdone;
      get_wait_q   <= (get_wait_q | get) & ~got;
      got_q        <= (got_q | got) & ~over;
      drains_q     <= (drains_q & ~over) | done | gdone;
    end
    hits_q    <= kernel_start || over ? '0 : hits;
    sectors_q <= kernel_start || over ? '0 : sectors;
    landed_q  <= kernel_start || over ? '0 : landed;
    step_q    <= start ? '0 : step_q + 3'(over);
  end

  always_comb begin
    if (run_q) begin
      assert ((asked & open_q) == '0 && many <= 3'(Outstanding));
      assert (!m_valid || (m_tag < 4'd4 && m_write == Stores));
      assert (Stores ? !p_valid && !get : !c_valid && !put);
      assert (!(gpost && Global == 0) && !((post || put || get) && Global != 0));
      assert (!(p_valid || c_valid) || row_ours);
      assert (p_bank == c_bank && p_row == c_row);
      // Nothing moves while a post, a step or a get is waited for, or without a tile.
      if (m_valid || p_valid || c_valid)
        assert (phase_q == Run && !post_wait_q && !gpost_wait_q && !get_wait_q);
      if (m_valid && !Stores && viu_q && Global == 0) assert (got_q);
      assert (!put || (viu_q && drains_q));
      // The word goes to its place, with its value.
      if (!Stores && lands) assert (ours && hits == 2'd1);
      if (Stores && hit) assert (m_data[address[6:2]]);
      // When the tile is over, all of it is done.
      if (over) begin
        assert (open == '0 && sectors == (due ? 10'(Words / 8) : '0));
        assert (hits == 2'(due) && (Stores || landed == hits));
      end
      if (Stores && fin && viu_q && Global == 0) assert (!over);  // it was with put
      if (fin) assert (step_q + 3'(over) == 3'(Ends) && !post_wait_q && !gpost_wait_q);
      assert (!fin || phase_q == Run);
      assert (Never == 0 || !served_q || phase_q != Over);
    end
  end
endmodule
