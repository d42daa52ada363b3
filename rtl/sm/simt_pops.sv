// Pops whose entry is under way, from a memory beside the stack: a pop ends Stages cycles after it began, and in the
// same cycle while bypass.  kernel_start wins over everything.
//
// Illegal: a begin of a warp that is being popped; a change of bypass while a pop is under way.

module simt_pops #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Stages = 1  // 1 or more
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,
  input  logic                         bypass_i,

  // The pop that begins, the warp also as one-hot vector
  input  logic                         begins_i,
  input  logic [tandem_pkg::WarpW-1:0] begin_warp_i,
  input  logic [Warps-1:0]             begun_i,

  // The pop that ends; warps whose pop is under way
  output logic                         ends_o,
  output logic [tandem_pkg::WarpW-1:0] end_warp_o,
  output logic [Warps-1:0]             popping_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;

  logic [Warps-1:0]  popping_q;
  logic [Stages-1:0] stage_q, stage;  // stage i has the pop that began i + 1 cycles ago
  logic [WarpW-1:0]  stage_warp_q [Stages];
  if (Stages > 1) begin : g_stages
    assign stage = {stage_q[Stages-2:0], begins_i & ~bypass_i};
  end else begin : g_stage
    assign stage = begins_i & ~bypass_i;
  end
  for (genvar i = 0; i < Stages; i++) begin : g_stage_warp
    always_ff @(posedge clk_i)
      if (stage[i]) stage_warp_q[i] <= (i == 0) ? begin_warp_i : stage_warp_q[(i == 0) ? 0 : i-1];
  end
  assign ends_o     = bypass_i ? begins_i : stage_q[Stages-1];
  assign end_warp_o = bypass_i ? begin_warp_i : stage_warp_q[Stages-1];
  assign popping_o  = popping_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {stage_q, popping_q} <= '0;
    end else begin
      stage_q <= kernel_start_i ? '0 : stage;
      if (kernel_start_i)          popping_q <= '0;
      else if (begins_i || ends_o) popping_q <= (popping_q | begun_i) & ~(ends_o ? Warps'(1) << end_warp_o : '0);
    end
  end

`ifndef SYNTHESIS
  logic [Warps-1:0] staged;
  always_comb begin
    staged = '0;
    for (int i = 0; i < Stages; i++) if (stage_q[i]) staged = staged | Warps'(1) << stage_warp_q[i];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      popped_once:    assert ((popping_q & begun_i) == '0);
      stages_agree:   assert (popping_q == staged);
      bypassed_empty: assert (!bypass_i || stage_q == '0);
    end
  end
`endif
endmodule
