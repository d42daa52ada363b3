// Above: how many entries each warp's stack has that were not there when the member became
// independent.  A warp without any is level: it may park (docs/hardware/buddy_halfway.md, Halfway).
//
// While the member leads or follows (together_i), all warps are level.  kernel_start wins over
// everything.  While moves_i is low nothing changes.
//
// Illegal: two of resolve, pop and launch of a warp in a cycle.

module park_above #(
  parameter int unsigned Warps = tandem_pkg::Warps
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,
  input  logic                         together_i,
  input  logic                         moves_i,

  // Warps that are launched; whose stack grows, by how much; whose stack is popped
  input  logic                         launch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] launch_warp_i,
  input  logic                         res_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] res_warp_i,
  input  logic [1:0]                   res_push_i,
  input  logic                         pop_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] pop_warp_i,

  output logic [Warps-1:0]             level_o
);
  localparam int unsigned AboveW = 5;

  logic [Warps-1:0]  level_q, level_d;
  logic [AboveW-1:0] above_q [Warps];  // of a warp that is not level

  logic [Warps-1:0] launched, grown, popped;
  always_comb begin
    {launched, grown, popped} = '0;
    if (launch_valid_i || res_valid_i || pop_valid_i) begin
      launched = Warps'(launch_valid_i) << launch_warp_i;
      grown    = Warps'(res_valid_i) << res_warp_i;
      popped   = Warps'(pop_valid_i) << pop_warp_i;
    end
  end

  logic [AboveW-1:0] res_above, pop_above;
  always_comb begin
    res_above = '0;
    pop_above = '0;
    if (!together_i) begin
      if (res_valid_i) begin
        res_above = AboveW'(res_push_i);
        if ((level_q & grown) == '0) res_above = res_above + above_q[res_warp_i];
      end
      if (pop_valid_i) begin
        pop_above = above_q[pop_warp_i] - AboveW'(1);
      end
    end
  end

  logic independent;
  assign independent = !together_i && !kernel_start_i;
  always_comb begin
    level_d = '1;
    if (independent) begin
      level_d = level_q | launched;
      if (res_above != '0) level_d = level_d & ~grown;
      if (pop_above == '0) level_d = level_d | popped;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      level_q <= '1;
    else if (moves_i) level_q <= level_d;
  end
  always_ff @(posedge clk_i) begin
    if (independent) begin
      if (res_valid_i) above_q[res_warp_i] <= res_above;
      if (pop_valid_i) above_q[pop_warp_i] <= pop_above;
    end
  end
  assign level_o = level_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      resolve_other_than_pop:    assert (!res_valid_i || !pop_valid_i || res_warp_i != pop_warp_i);
      resolve_other_than_launch: assert (!res_valid_i || !launch_valid_i || res_warp_i != launch_warp_i);
      pop_other_than_launch:     assert (!pop_valid_i || !launch_valid_i || pop_warp_i != launch_warp_i);
    end
  end
`endif

`ifdef FORMAL
  // tests/formal/park.sv
  logic [Warps*AboveW-1:0] above;
  always_comb for (int w = 0; w < Warps; w++) above[w*AboveW+:AboveW] = above_q[w];
  park_above_properties #(
    .Warps(Warps)
  ) u_properties (
    .clk_i, .rst_ni, .kernel_start_i, .together_i, .moves_i, .launched_i(launched), .grown_i(grown),
    .res_push_i, .popped_i(popped), .level_i(level_q), .above_i(above)
  );
`endif
endmodule
