// iu_dma: any word of any tile is requested once and moved once, to its place; no more than
// Outstanding requests are open; nothing is posted, put or over before all of a tile is answered.
//
// Words have a bit: of the one that is followed 1, of all others 0.  The registers are
// constants; answers of memory come at any time and in any order, those of the CB two cycles after
// the request.
module iu_dma_formal #(
  parameter int unsigned Store       = 0,
  parameter int unsigned Virtual     = 0,
  parameter int unsigned Rows        = 4,
  parameter int unsigned RowWords    = 8,
  parameter int unsigned Tiles       = 1,
  parameter int unsigned Outstanding = 4
) (
  input logic       clk_i,
  input logic       got_i,
  input logic       done_i,
  input logic       m_rsp_i,
  input logic [3:0] m_rsp_tag_i,
  input logic [1:0] tile_i,       // the word
  input logic [7:0] row_i,
  input logic [7:0] column_i,
  input logic [4:0] any_bank_i
);
  // Rows begin at each of the four sectors, and one lies across two segments.
  localparam int unsigned Base      = 'h1060;
  localparam int unsigned RowPitch  = 'h0a0;
  localparam int unsigned TilePitch = 'h4e0;
  localparam int unsigned Words     = Rows * RowWords;
  localparam int unsigned Spill     = 'h2080;

  localparam logic [270:0] Registers = {82'd0, 5'(Outstanding), 16'(Tiles), 14'(Words), 13'(RowWords),
                                        13'(Rows), 32'(Spill), 32'(TilePitch), 32'(RowPitch),
                                        32'(Base)};

  // One clock, no reset: the engine begins with kernel_start, and then starts.
  logic kernel_start, start, run_q;
  logic [1:0] step_q;
  initial step_q = '0;
  always_ff @(posedge clk_i) if (step_q != 2'd2) step_q <= step_q + 2'd1;
  always_comb assume (clk_i);
  assign kernel_start = step_q == 2'd0;
  assign start        = step_q == 2'd1;
  assign run_q        = step_q != 2'd0;

  // The word: its address, and its place in the CB.
  logic [1:0]  tile_q;
  logic [7:0]  row_q, column_q;
  logic [4:0]  any_bank_q;
  logic [12:0] place;
  logic [31:0] address;
  always_ff @(posedge clk_i) begin
    tile_q     <= tile_i;
    row_q      <= row_i;
    column_q   <= column_i;
    any_bank_q <= any_bank_i;
  end
  assign place = 13'(row_i) * 13'(RowWords) + 13'(column_i);
  always_comb begin
    if (Virtual != 0)
      address = 32'(Spill) + 32'(tile_i) * 32'(4 * Words) + {17'd0, place, 2'd0};
    else
      address = 32'(Base) + 32'(tile_i) * 32'(TilePitch) + 32'(row_i) * 32'(RowPitch) +
                {22'd0, column_i, 2'd0};
  end

  logic          fin, put, get, post, gpost, p_valid, c_valid, m_valid, m_write, c_rsp;
  logic [31:0]   p_bank, c_bank, m_addr;
  logic [255:0]  p_row, c_row;
  logic [31:0]   p_data, m_data, m_rsp_data, c_data;
  logic [3:0]    m_sectors, m_tag;
  logic          quiet;
  iu_dma #(
    .Registers(Registers),
    .Stores   (1),
    .Tags     (4),
    .WordW    (1)
  ) u_iu_dma (
    .clk_i,
    .rst_ni        (1'b1),
`ifdef TANDEM_BUGS
    .bug_i(8'd`FAULT),
`endif
    .kernel_start_i(kernel_start),
    .cfg_valid_i   (1'b0),
    .cfg_reg_i     ('0),
    .cfg_data_i    ('0),
    .start_i       (start),
    .role_i        (Store != 0 ? 3'd3 : 3'd2),
    .viu_i         (Virtual != 0),
    .side_i        (1'b0),
    .next_cx_i     (1'b0),
    .next_cy_i     (1'b0),
    .fin_o         (fin),
    .put_o         (put),
    .get_o         (get),
    .got_i,
    .post_o        (post),
    .done_i,
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
    .gdone_i       (1'b0),
    .m_valid_o     (m_valid),
    .m_write_o     (m_write),
    .m_addr_o      (m_addr),
    .m_sectors_o   (m_sectors),
    .m_tag_o       (m_tag),
    .m_data_o      (m_data),
    .m_rsp_i,
    .m_rsp_tag_i,
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
  assign hit_rsp = m_rsp_i && (hit ? m_rsp_tag_i == m_tag :
                               hit_open_q && m_rsp_tag_i == hit_tag_q);
  always_comb begin
    many = '0;
    for (int i = 0; i < 4; i++) many = many + 3'(open[i]);
    sectors = sectors_q;
    for (int s = 0; s < 4; s++) sectors = sectors + 10'(m_valid & m_sectors[s]);
    m_rsp_data = 32'(Store == 0 && hit_rsp) << address[6:2];
  end

  // The CB: writes to the word's place, and reads of it under way.
  logic       lands, reads, ours, row_ours;
  logic [1:0] landed_q, landed;
  logic [1:0] valid_q, reads_q;
  logic [7:0] p_row_there, c_row_there, any_row;
  assign p_row_there = p_row[8*32'(place[4:0]) +: 8];
  assign c_row_there = c_row[8*32'(place[4:0]) +: 8];
  assign any_row     = p_row[8*32'(any_bank_i) +: 8];
  assign lands       = p_valid && p_bank[place[4:0]] && p_row_there == place[12:5];
  assign reads       = c_valid && c_bank[place[4:0]] && c_row_there == place[12:5];
  assign ours        = p_data[place[4:0]];
  assign c_data      = 32'(Store != 0 && reads_q[1]) << place[4:0];
  // No word beyond the tile is touched; reads and writes have their banks and rows from one
  // register.
  assign row_ours    = !p_bank[any_bank_i] || 32'({any_row, any_bank_i}) < Words;
  assign landed = landed_q + 2'(lands);
  assign c_rsp  = valid_q[1];

  // Who is waited for, and which tile it is
  logic       post_wait_q, get_wait_q, over, begun_q;
  logic [1:0] number_q;
  assign over = Store == 0 ? post : put | fin | (post & begun_q);
  always_ff @(posedge clk_i) begin
    if (kernel_start) begin
      open_q      <= '0;
      hit_open_q  <= 1'b0;
      hits_q      <= '0;
      sectors_q   <= '0;
      landed_q    <= '0;
      valid_q     <= '0;
      reads_q     <= '0;
      post_wait_q <= 1'b0;
      get_wait_q  <= 1'b0;
      number_q    <= '0;
      begun_q     <= 1'b0;
    end else begin
      open_q      <= open & ~(4'(m_rsp_i) << m_rsp_tag_i);
      hit_open_q  <= (hit_open_q | hit) & ~hit_rsp;
      if (hit) hit_tag_q <= m_tag;
      valid_q     <= {valid_q[0], c_valid};
      reads_q     <= {reads_q[0], reads};
      post_wait_q <= (post_wait_q | post) & ~done_i;
      get_wait_q  <= (get_wait_q | get) & ~got_i;
      hits_q      <= over ? '0 : hits;
      sectors_q   <= over ? '0 : sectors;
      landed_q    <= over ? '0 : landed;
      number_q    <= number_q + 2'(over);
      // A store unit's tile is over once, be it by put, by fin, or by the post for the next one.
      begun_q     <= (begun_q | c_valid) & ~over;
    end
  end

  logic in_tile;
  assign in_tile = number_q == tile_i;
  always_comb begin
    // What is legal
    assume (tile_i == tile_q && row_i == row_q && column_i == column_q);
    assume (any_bank_i == any_bank_q);
    assume (tile_i < 2'(Tiles) && row_i < 8'(Rows) && column_i < 8'(RowWords));
    assume (!m_rsp_i || (m_rsp_tag_i < 4'd4 && open[m_rsp_tag_i[1:0]]));
    assume (!done_i || post_wait_q || post);
    assume (!got_i || get_wait_q || get);

    if (run_q) begin
      assert ((asked & open_q) == '0 && many <= 3'(Outstanding));
      assert (!m_valid || m_tag < 4'd4);
      assert (!m_valid || m_write == (Store != 0));
      assert (!gpost && (Store != 0 ? !p_valid && !get : !c_valid && !put));
      assert (!(p_valid || c_valid) || row_ours);
      assert (p_bank == c_bank && p_row == c_row);
      // The word goes to its place, with its value.
      if (Store == 0 && in_tile && lands) assert (ours && hits == 2'd1);
      if (Store != 0 && in_tile && hit) assert (m_data[address[6:2]]);
      // When the tile is over, all of it is done.
      if (over && !(fin && !begun_q && Store != 0)) begin
        assert (open == '0 && sectors == 10'(Words / 8));
        if (in_tile) assert (hits == 2'd1 && (Store != 0 || landed == 2'd1));
      end
      if (Store != 0 && Virtual != 0 && fin) assert (number_q == 2'(Tiles));
      if (fin) assert (open == '0);
      cover (fin);
    end
  end
endmodule
