// Arrays large enough to be built as memories become instances of tandem_memory, whatever is smaller
// flip-flops and multiplexers: a techmap rule of yosys, used by map.tcl, which passes MIN_BITS.
//
// Ports lie side by side, the first lowest.  Reads are asynchronous, writes at the rising clock edge;
// registers behind a read port stay outside, in flip-flops.

module \$mem_v2 (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
  parameter MEMID = "";
  parameter signed SIZE = 4;
  parameter signed OFFSET = 0;
  parameter signed ABITS = 2;
  parameter signed WIDTH = 8;
  parameter INIT = 1'bx;
  parameter signed RD_PORTS = 1;
  parameter RD_CLK_ENABLE = 1'b1;
  parameter RD_CLK_POLARITY = 1'b1;
  parameter RD_TRANSPARENCY_MASK = 1'b0;
  parameter RD_COLLISION_X_MASK = 1'b0;
  parameter RD_WIDE_CONTINUATION = 1'b0;
  parameter RD_CE_OVER_SRST = 1'b0;
  parameter RD_ARST_VALUE = 1'b0;
  parameter RD_SRST_VALUE = 1'b0;
  parameter RD_INIT_VALUE = 1'b0;
  parameter signed WR_PORTS = 1;
  parameter WR_CLK_ENABLE = 1'b1;
  parameter WR_CLK_POLARITY = 1'b1;
  parameter WR_PRIORITY_MASK = 1'b0;
  parameter WR_WIDE_CONTINUATION = 1'b0;
  input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;
  input [RD_PORTS*ABITS-1:0] RD_ADDR;
  output [RD_PORTS*WIDTH-1:0] RD_DATA;
  input [WR_PORTS-1:0] WR_CLK;
  input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
  input [WR_PORTS*ABITS-1:0] WR_ADDR;

  // A table of constants is logic.
  wire _TECHMAP_FAIL_ = WR_PORTS == 0 || SIZE * WIDTH < `MIN_BITS || RD_CLK_ENABLE != 0 ||
                        WR_CLK_ENABLE != {WR_PORTS{1'b1}} || WR_CLK_POLARITY != {WR_PORTS{1'b1}} ||
                        RD_WIDE_CONTINUATION != 0 || WR_WIDE_CONTINUATION != 0 || OFFSET != 0;
  tandem_memory #(
    .Words(SIZE),
    .Width(WIDTH),
    .Abits(ABITS),
    .Reads(RD_PORTS),
    .Writes(WR_PORTS)
  ) _TECHMAP_REPLACE_ (
    .clk(WR_CLK[0]), .r_addr(RD_ADDR), .r_data(RD_DATA), .w_addr(WR_ADDR), .w_data(WR_DATA),
    .w_en(WR_EN)
  );
endmodule
