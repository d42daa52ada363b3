// Where a Flex SM keeps things, by the scheme: a register of a warp, a byte of shared memory, a line of L1D
// (docs/hardware/flex.md, flex_map).  Side 0 is the SM's own, side 1 the lender's.  Combinational.
//
// upper_i: of a lender in a trio, the SM has the upper half.
//
// Illegal: a scheme that there is not; a warp, address or way that the scheme does not have.

module flex_map (
  input  logic [2:0]  mode_i,  // flex_e
  input  logic        upper_i,

  // Registers: bank of the register file; row, by the warp's number on its side and the register's higher bits
  input  logic [5:0]  warp_i,
  input  logic [4:0]  reg_i,
  output logic        rf_side_o,
  output logic [3:0]  rf_bank_o,
  output logic [7:0]  rf_row_o,

  // Shared memory, by the address in bytes
  input  logic [14:0] shared_i,
  output logic        sh_side_o,
  output logic [3:0]  sh_bank_o,
  output logic [7:0]  sh_row_o,

  // L1D: the bank of tags, the row within it, the way on its side
  input  logic [4:0]  set_i,
  input  logic [2:0]  way_i,
  output logic        l1_side_o,
  output logic        l1_bank_o,
  output logic [3:0]  l1_row_o,
  output logic [1:0]  l1_way_o
);
  localparam logic [5:0] OwnWarps = 6'd24;

  logic trio;
  assign trio = mode_i == tandem_pkg::FlexBal;

  // Warps from 24 on have borrowed registers, but those of 64 lanes have some in each SM.
  logic       wide;
  logic [5:0] warp;
  assign wide      = mode_i >= tandem_pkg::FlexBigsm;
  assign rf_side_o = !wide && warp_i >= OwnWarps;
  assign warp      = rf_side_o ? warp_i - OwnWarps : warp_i;
  always_comb begin
    rf_bank_o = 4'(reg_i) + 4'(warp);
    rf_row_o  = {warp, 1'b0, reg_i[4]};
    if (trio && rf_side_o) begin
      rf_bank_o[3] = upper_i;
      rf_row_o     = {warp, reg_i[4:3]};
    end
  end

  // The first 16 KB are the SM's own.
  assign sh_side_o = shared_i[14];
  always_comb begin
    sh_bank_o = shared_i[5:2];
    sh_row_o  = shared_i[13:6];
    if (trio && sh_side_o) begin
      sh_bank_o[3] = upper_i;
      sh_row_o     = shared_i[12:5];
    end
  end
  logic unused_byte;
  assign unused_byte = 1'b0 & ^shared_i[1:0];

  // Ways 0 to 3 are the SM's own.  A bank of a lender has 16 rows in each of four ways: two ways of 32 sets.
  assign l1_side_o = way_i[2];
  assign l1_row_o  = set_i[3:0];
  always_comb begin
    l1_bank_o = set_i[4];
    l1_way_o  = way_i[1:0];
    if (trio && l1_side_o) begin
      l1_bank_o = upper_i;
      l1_way_o  = {set_i[4], way_i[0]};
    end
  end

`ifndef SYNTHESIS
  // The caller's contract.
  logic       base, twice;
  logic [5:0] warps;
  assign base  = mode_i == tandem_pkg::FlexBase;
  assign twice = mode_i == tandem_pkg::FlexOcc || mode_i == tandem_pkg::FlexBigsmOcc;
  assign warps = trio ? 6'd36 : twice ? 6'd48 : OwnWarps;
  always_comb begin
    mode_known:       assert (mode_i <= tandem_pkg::FlexBigsmOcc);
    warp_there:       assert (warp_i < warps);
    base_shared_fits: assert (!base || !shared_i[14]);
    trio_shared_fits: assert (!trio || shared_i[14:13] != 2'd3);
    base_way_fits:    assert (!base || !way_i[2]);
    trio_way_fits:    assert (!trio || way_i[2:1] != 2'd3);
  end
`endif
endmodule
