// flex_edge: whatever enters leaves Stages cycles later, in order, and nothing else ever leaves; with bypass in the
// same cycle.  The proof follows a value that is any (tag).  bypass changes while nothing is inside.
module flex_edge_formal #(
  parameter int unsigned Width = 8,
  parameter int unsigned Stages = 1
) (
`include "csim/ports/flex_edge_inputs.svh"
);
  one_clock u_one_clock (.clk_i, .rst_ni);

`include "csim/ports/flex_edge_outputs.svh"
  flex_edge #(
    .Width (Width),
    .Stages(Stages)
  ) u_edge (
    .*
  );

  // Entries of each of the last cycles: any value, the tagged one.
  (* anyconst *) logic [Width-1:0] tag;
  logic [Stages-1:0] some_q, tag_q;
  logic              bypass_q;
  always_ff @(posedge clk_i) begin
    bypass_q <= bypass_i;
    some_q   <= Stages'({some_q, rst_ni & valid_i & ~bypass_i});
    tag_q    <= Stages'({tag_q, rst_ni & valid_i & ~bypass_i & (data_i == tag)});
  end
  logic [3:0] since_q;  // cycles since reset, no more than Stages
  initial since_q = 4'd0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) since_q <= 4'd0;
    else if (since_q < 4'(Stages)) since_q <= since_q + 4'd1;
  end

  logic known, some, tagged;
  always_comb begin
    known  = since_q == 4'(Stages);
    some   = known & some_q[Stages-1];
    tagged = known & tag_q[Stages-1];
    if (rst_ni && known && some_q != '0) assume (bypass_i == bypass_q);
    if (rst_ni && !known) assume (!valid_i);
    if (rst_ni) begin
      assert (valid_o == (bypass_i ? valid_i : some));
      if (valid_o) assert ((data_o == tag) == (bypass_i ? data_i == tag : tagged));
      cover (valid_o && !bypass_i && valid_i);
      cover (valid_o && bypass_i);
    end
  end
endmodule
