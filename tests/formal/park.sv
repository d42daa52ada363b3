// park: a warp never parks with entries on its stack that were not there when the member became
// independent; the roll calls each parked warp once, nobody else, and then says how many.  The inputs are
// any that the unit allows, but that schedulers pick nothing while the roll is called.
module park_formal #(
  parameter int unsigned Warps = 4
) (
`include "csim/ports/park_inputs.svh"
);
  one_clock u_one_clock (.clk_i, .rst_ni);
  always_comb begin
    assume (launch_warp_i < 6'(Warps) && res_warp_i < 6'(Warps) && pop_warp_i < 6'(Warps));
    assume (pick0_warp_i < 6'(Warps) && pick1_warp_i < 6'(Warps));
    assume (!pick0_warp_i[0] && pick1_warp_i[0]);
    assume (res_push_i != 2'd3);
  end

`include "csim/ports/park_outputs.svh"
  park #(
    .Warps(Warps)
  ) u_park (
    .held_i('0),
    .called0_valid_i(1'b0),
    .called0_warp_i('0),
    .called0_depth_i('0),
    .called1_valid_i(1'b0),
    .called1_warp_i('0),
    .called1_depth_i('0),
    .end_valid_i(1'b0),
    .end_count_i('0),
    .depth0_i('0),
    .depth1_i('0),
    .*
  );
endmodule

// The properties, of park and of the modules in it, each of which instantiates its own.
module park_properties #(
  parameter int unsigned Warps = 4
) (
  input logic             rst_ni,
  input logic             park_i,
  input logic             call_i,
  input logic             moves_i,
  input logic             pick0_valid_i,
  input logic             pick1_valid_i,
  input logic [Warps-1:0] stops_i,
  input logic [Warps-1:0] level_i,
  input logic [Warps-1:0] parked_i
);
  always_comb begin
    if (rst_ni) begin
      assume (!call_i || (park_i && !pick0_valid_i && !pick1_valid_i));
      // A warp that parks has no entry that was not there before.
      assert ((stops_i & ~level_i) == '0);
      assert (moves_i || parked_i == '0);
      cover (stops_i[0]);
    end
  end
endmodule

// The depth of each stack, and the least depth since the member became independent.
module park_above_properties #(
  parameter int unsigned Warps = 4,
  localparam int unsigned AboveW = 5
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    kernel_start_i,
  input logic                    together_i,
  input logic                    moves_i,
  input logic [Warps-1:0]        launched_i,
  input logic [Warps-1:0]        grown_i,
  input logic [1:0]              res_push_i,
  input logic [Warps-1:0]        popped_i,
  input logic [Warps-1:0]        level_i,
  input logic [Warps*AboveW-1:0] above_i
);
  logic [Warps*AboveW-1:0] f_depth, f_floor, f_next;
  always_comb begin
    f_next = f_depth;
    for (int w = 0; w < Warps; w++) begin
      if (grown_i[w])  f_next[w*AboveW+:AboveW] = f_depth[w*AboveW+:AboveW] + AboveW'(res_push_i);
      if (popped_i[w]) f_next[w*AboveW+:AboveW] = f_depth[w*AboveW+:AboveW] - AboveW'(1);
      if (launched_i[w] || kernel_start_i) f_next[w*AboveW+:AboveW] = '0;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int w = 0; w < Warps; w++) begin
      f_depth[w*AboveW+:AboveW] <= rst_ni ? f_next[w*AboveW+:AboveW] : '0;
      if (!rst_ni || together_i || kernel_start_i ||
          f_next[w*AboveW+:AboveW] < f_floor[w*AboveW+:AboveW])
        f_floor[w*AboveW+:AboveW] <= rst_ni ? f_next[w*AboveW+:AboveW] : '0;
    end
  end
  always_comb begin
    if (rst_ni) begin
      assume ((grown_i & popped_i) == '0 && ((grown_i | popped_i) & launched_i) == '0);
      for (int w = 0; w < Warps; w++) begin
        assume (!popped_i[w] || f_depth[w*AboveW+:AboveW] != '0);
        assume (!grown_i[w] || f_depth[w*AboveW+:AboveW] + AboveW'(res_push_i) <= AboveW'(16));
        assert (f_depth[w*AboveW+:AboveW] <= AboveW'(16));
        assert ((level_i[w] ? AboveW'(0) : above_i[w*AboveW+:AboveW]) ==
                f_depth[w*AboveW+:AboveW] - f_floor[w*AboveW+:AboveW]);
        assert (level_i[w] || above_i[w*AboveW+:AboveW] != '0);
        assert (f_floor[w*AboveW+:AboveW] <= f_depth[w*AboveW+:AboveW]);
      end
      assert (moves_i || level_i == '1);
      cover (!together_i && level_i[0] && f_floor[AboveW-1:0] != '0);
    end
  end
endmodule

// The roll calls each parked warp once, and nobody else.
module roll_call_properties #(
  parameter int unsigned Warps = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             kernel_start_i,
  input logic             moves_i,
  input logic [Warps-1:0] parked_i,
  input logic             call_i,
  input logic             call0_valid_i,
  input logic [5:0]       call0_warp_i,
  input logic             call1_valid_i,
  input logic [5:0]       call1_warp_i,
  input logic             last_valid_i,
  input logic [5:0]       last_count_i,
  input logic [Warps-1:0] done_i,
  input logic [5:0]       count_i,
  input logic             ended_i
);
  logic [Warps-1:0] f_called, f_calls0, f_calls1;
  logic [5:0]       f_count;
  always_comb begin
    f_calls0 = Warps'(call0_valid_i) << call0_warp_i;
    f_calls1 = Warps'(call1_valid_i) << call1_warp_i;
    f_count  = '0;
    for (int w = 0; w < Warps; w++) f_count = f_count + 6'(f_called[w]);
  end
  always_ff @(posedge clk_i) begin
    f_called <= '0;
    if (rst_ni && call_i && !kernel_start_i) f_called <= f_called | f_calls0 | f_calls1;
  end
  always_comb begin
    if (rst_ni) begin
      assert (moves_i || {done_i, count_i, ended_i} == '0);
      assert (done_i == f_called && (f_called & ~parked_i) == '0 && count_i == f_count);
      assert ((f_calls0 & f_called) == '0);
      assert ((f_calls1 & f_called) == '0);
      assert (!last_valid_i || (f_called == parked_i && last_count_i == f_count));
      cover (last_valid_i && last_count_i == 6'(Warps));
    end
  end
endmodule
