// Way of the accesses of a near half to rows of a far half: the boundary buffers to a neighbour's, or the dummy
// stages to the own ones.  Each kind of access has an edge of its own, which moves with its valid only; all take
// Dummy cycles, or none with bypass_i (comb).
//
// Illegal: a change of bypass_i while something is inside.

module flex_path #(
  parameter int unsigned Dummy = 1  // 1 or 2
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     bypass_i,
  input  tandem_pkg::flex_access_t access_i,
  output tandem_pkg::flex_access_t access_o
);
  localparam int unsigned WordW = tandem_pkg::InstW + tandem_pkg::DecW;

  logic                wr, rd0, rd1, push, pop;
  logic [2*WordW+5:0]  wr_data;
  logic [5:0]          rd0_data, rd1_data;
  logic [202:0]        push_data;
  logic [9:0]          pop_data;

  flex_edge #(
    .Width(2 * WordW + 6),
    .Stages(Dummy)
  ) u_wr (
    .valid_i(access_i.wr),
    .data_i({access_i.wr_row, access_i.wr_two, access_i.wr_dec1, access_i.wr_inst1, access_i.wr_dec0,
             access_i.wr_inst0}),
    .valid_o(wr), .data_o(wr_data), .*
  );
  flex_edge #(
    .Width(6),
    .Stages(Dummy)
  ) u_rd0 (
    .valid_i(access_i.rd0), .data_i({access_i.rd0_row, access_i.rd0_b}), .valid_o(rd0), .data_o(rd0_data), .*
  );
  flex_edge #(
    .Width(6),
    .Stages(Dummy)
  ) u_rd1 (
    .valid_i(access_i.rd1), .data_i({access_i.rd1_row, access_i.rd1_b}), .valid_o(rd1), .data_o(rd1_data), .*
  );
  flex_edge #(
    .Width(203),
    .Stages(Dummy)
  ) u_push (
    .valid_i(access_i.push[0]),
    .data_i({access_i.push[1], access_i.push_row, access_i.push_depth, access_i.push1, access_i.push0}),
    .valid_o(push), .data_o(push_data), .*
  );
  flex_edge #(
    .Width(10),
    .Stages(Dummy)
  ) u_pop (
    .valid_i(access_i.pop), .data_i({access_i.pop_row, access_i.pop_at}), .valid_o(pop), .data_o(pop_data), .*
  );

  assign access_o = {wr, wr_data, rd0, rd0_data, rd1, rd1_data, push_data[202] & push, push, push_data[201:0],
                     pop, pop_data};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) second_push_with_first: assert (access_i.push != 2'b10);
`endif
endmodule
