// Registers with an enable get a gated clock in its place: a techmap rule of yosys, used by clock_gating.tcl on the
// registers that it chose.  tandem_clock_gate is a gate of the library, or of yosys' own cells (clock_gate.v).

(* techmap_celltype = "$dffe" *)
module tandem_gated_dffe (input CLK, input EN, input [WIDTH-1:0] D, output [WIDTH-1:0] Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1'b1;
  parameter EN_POLARITY = 1'b1;
  wire gated;

  tandem_clock_gate u_gate (.C(CLK), .E(EN_POLARITY ? EN : ~EN), .G(gated));
  \$dff #(.WIDTH(WIDTH), .CLK_POLARITY(1'b1)) _TECHMAP_REPLACE_ (.CLK(gated), .D(D), .Q(Q));
  wire _TECHMAP_FAIL_ = !CLK_POLARITY;
endmodule

(* techmap_celltype = "$adffe" *)
module tandem_gated_adffe (input CLK, input ARST, input EN, input [WIDTH-1:0] D, output [WIDTH-1:0] Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1'b1;
  parameter EN_POLARITY = 1'b1;
  parameter ARST_POLARITY = 1'b1;
  parameter ARST_VALUE = 1'b0;
  wire gated;

  tandem_clock_gate u_gate (.C(CLK), .E(EN_POLARITY ? EN : ~EN), .G(gated));
  \$adff #(
    .WIDTH(WIDTH),
    .CLK_POLARITY(1'b1),
    .ARST_POLARITY(ARST_POLARITY),
    .ARST_VALUE(ARST_VALUE)
  ) _TECHMAP_REPLACE_ (.CLK(gated), .ARST(ARST), .D(D), .Q(Q));
  wire _TECHMAP_FAIL_ = !CLK_POLARITY;
endmodule
