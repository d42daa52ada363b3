// A toggle flip-flop that a gated clock clocks while en_i is high, with an inverter of its own; the same behind an
// integrated clock gate, one cycle later; a flip-flop on the clock itself that follows en_i, with a reset; a memory that
// writes en_i to row 0 in every cycle and reads that row, and row 2 or 3 as the first register says; a toggle flip-flop
// on the clock that is twice as fast.
module inner (input c, output q);
  wire d;
  DFF r (.C(c), .D(d), .Q(q));
  INV i (.A(q), .Y(d));
endmodule

module tiny (input clk_i, input noc_clk_i, input rst_ni, input en_i, output q_o, output e_o, output t_o, output k_o);
  wire gated, kept;
  AND g (.A(clk_i), .B(en_i), .Y(gated));
  inner u_inner (.c(gated), .q(q_o));
  CG k (.CK(clk_i), .E(e_o), .Z(kept));
  inner u_kept (.c(kept), .q(k_o));
  inner u_twice (.c(noc_clk_i), .q(t_o));
  wire [1:0] data;
  tandem_mem_4x1_2r1w m (.clk(clk_i), .r_addr({1'b1, q_o, 2'b00}), .r_data(data),
                         .w_addr(2'b00), .w_data(en_i), .w_en(1'b1));
  DFFR e (.C(clk_i), .R(rst_ni), .D(en_i), .Q(e_o));
endmodule
