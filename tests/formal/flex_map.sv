// flex_map: in each scheme two registers, two words of shared memory, two lines of L1D have different places, and so
// have those of the two borrowers in a trio.
module flex_map_formal (
  input logic        clk_i,
  input logic [2:0]  mode_i,
  input logic        upper0_i,
  input logic [5:0]  warp0_i,
  input logic [4:0]  reg0_i,
  input logic [14:0] shared0_i,
  input logic [4:0]  set0_i,
  input logic [2:0]  way0_i,
  input logic        upper1_i,
  input logic [5:0]  warp1_i,
  input logic [4:0]  reg1_i,
  input logic [14:0] shared1_i,
  input logic [4:0]  set1_i,
  input logic [2:0]  way1_i
);
  logic       rf_side0, rf_side1, sh_side0, sh_side1, l1_side0, l1_side1, l1_bank0, l1_bank1;
  logic [3:0] rf_bank0, rf_bank1, sh_bank0, sh_bank1, l1_row0, l1_row1;
  logic [7:0] rf_row0, rf_row1, sh_row0, sh_row1;
  logic [1:0] l1_way0, l1_way1;
  flex_map u_map0 (
    .mode_i, .upper_i(upper0_i), .warp_i(warp0_i), .reg_i(reg0_i), .rf_side_o(rf_side0), .rf_bank_o(rf_bank0),
    .rf_row_o(rf_row0), .shared_i(shared0_i), .sh_side_o(sh_side0), .sh_bank_o(sh_bank0), .sh_row_o(sh_row0),
    .set_i(set0_i), .way_i(way0_i), .l1_side_o(l1_side0), .l1_bank_o(l1_bank0), .l1_row_o(l1_row0),
    .l1_way_o(l1_way0)
  );
  flex_map u_map1 (
    .mode_i, .upper_i(upper1_i), .warp_i(warp1_i), .reg_i(reg1_i), .rf_side_o(rf_side1), .rf_bank_o(rf_bank1),
    .rf_row_o(rf_row1), .shared_i(shared1_i), .sh_side_o(sh_side1), .sh_bank_o(sh_bank1), .sh_row_o(sh_row1),
    .set_i(set1_i), .way_i(way1_i), .l1_side_o(l1_side1), .l1_bank_o(l1_bank1), .l1_row_o(l1_row1),
    .l1_way_o(l1_way1)
  );

  // By scheme: warps, bytes, ways of an SM.
  logic        trio, two;
  logic [5:0]  warps;
  logic [15:0] bytes;
  logic [3:0]  ways;
  always_comb begin
    trio  = mode_i == 3'd2;
    warps = trio ? 6'd36 : (mode_i == 3'd1 || mode_i == 3'd4) ? 6'd48 : 6'd24;
    bytes = mode_i == 3'd0 ? 16'd16384 : trio ? 16'd24576 : 16'd32768;
    ways  = mode_i == 3'd0 ? 4'd4 : trio ? 4'd6 : 4'd8;
    assume (mode_i <= 3'd4);
    assume (warp0_i < warps && warp1_i < warps);
    assume ({1'b0, shared0_i} < bytes && {1'b0, shared1_i} < bytes);
    assume ({1'b0, way0_i} < ways && {1'b0, way1_i} < ways);
    // Two borrowers differ in what they have of the lender alone.
    two = upper0_i != upper1_i;
    if (two) assume (trio);
    if (!two || (rf_side0 && rf_side1)) begin
      if (two || warp0_i != warp1_i || reg0_i != reg1_i)
        assert ({rf_side0, rf_bank0, rf_row0} != {rf_side1, rf_bank1, rf_row1});
    end
    if (!two || (sh_side0 && sh_side1)) begin
      if (two || shared0_i[14:2] != shared1_i[14:2])
        assert ({sh_side0, sh_bank0, sh_row0} != {sh_side1, sh_bank1, sh_row1});
    end
    if (!two || (l1_side0 && l1_side1)) begin
      if (two || set0_i != set1_i || way0_i != way1_i)
        assert ({l1_side0, l1_bank0, l1_row0, l1_way0} != {l1_side1, l1_bank1, l1_row1, l1_way1});
    end
    // A part is borrowed only in a scheme that lends it.
    if (mode_i == 3'd0) assert (!rf_side0 && !sh_side0 && !l1_side0);
    cover (two && rf_side0 && rf_side1 && sh_side0 && l1_side0);
    cover (mode_i == 3'd4 && warp0_i == 6'd47);
  end
  logic unused_clk;
  assign unused_clk = clk_i;
endmodule
