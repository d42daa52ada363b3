// Dispatch to one pipeline of a Flex SM in two stages: the first one registers operands of own and of borrowed
// registers, the second one selects (docs/hardware/flex.md, flex_dispatch).
//
// An instruction of own registers comes with all its planes at once and is at the output Stages cycles later;
// with bypass_i in the same cycle.  One of borrowed registers comes over a link of Link planes a cycle, in
// ceil(planes / Link) cycles that follow each other, one if it has no planes; it is at the output Stages cycles after
// the last of them.  Planes that came before wait behind the boundary buffer.
//
// Illegal: two instructions at the output in one cycle; a gap in the cycles of an instruction; anything of
// borrowed registers beside bypass_i; a change of bypass_i while something is inside.

module flex_dispatch #(
  parameter int unsigned Width  = 64,  // of a plane: a register of all lanes
  parameter int unsigned Stages = 1,
  parameter int unsigned Link   = 3    // 1 to 3
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             bypass_i,

  // From own collectors
  input  logic             own_valid_i,
  input  logic [1:0]       own_planes_i,
  input  logic [Width-1:0] own_data0_i,
  input  logic [Width-1:0] own_data1_i,
  input  logic [Width-1:0] own_data2_i,

  // From the lender's; the number of planes comes with the first ones
  input  logic             far_valid_i,
  input  logic [1:0]       far_planes_i,
  input  logic [Width-1:0] far_data0_i,
  input  logic [Width-1:0] far_data1_i,  // if Link is more than 1, 2
  input  logic [Width-1:0] far_data2_i,

  output logic             valid_o,
  output logic             side_o,  // 1: of borrowed registers
  output logic [1:0]       planes_o,
  output logic [Width-1:0] data0_o,
  output logic [Width-1:0] data1_o,
  output logic [Width-1:0] data2_o
);
  localparam int unsigned DataW = 3 * Width;
  localparam int unsigned LinkW = Link * Width;
  localparam int unsigned HeldW = 2 * Width;  // at most

  // Stage 1.
  logic             own_valid, beat;
  logic [1:0]       own_planes, beat_planes;
  logic [DataW-1:0] own_data;
  logic [LinkW-1:0] beat_data;
  flex_edge #(
    .Width (DataW + 2),
    .Stages(Stages)
  ) u_own (
    .clk_i, .rst_ni, .bypass_i, .valid_i(own_valid_i),
    .data_i({own_planes_i, own_data2_i, own_data1_i, own_data0_i}), .valid_o(own_valid),
    .data_o({own_planes, own_data})
  );
  flex_edge #(
    .Width (LinkW + 2),
    .Stages(Stages)
  ) u_far (
    .clk_i, .rst_ni, .bypass_i, .valid_i(far_valid_i), .data_i({far_planes_i, LinkW'({far_data2_i, far_data1_i, far_data0_i})}),
    .valid_o(beat), .data_o({beat_planes, beat_data})
  );

  // Planes of an instruction of which more are to come.
  logic [1:0]       come_q  /*verilator public_flat_rd*/;  // that have come
  logic [1:0]       planes_q;
  logic [HeldW-1:0] held_q;
  logic [1:0]       planes;
  logic [2:0]       come_d;
  logic             last;
  logic [DataW-1:0] far_data;
  always_comb begin
    planes   = come_q == 2'd0 ? beat_planes : planes_q;
    come_d   = 3'(come_q) + 3'(Link);
    last     = come_d >= 3'(planes);
    far_data = DataW'(beat_data);
    if (come_q == 2'd1) far_data = {DataW'(beat_data) << Width} | DataW'(held_q[Width-1:0]);
    if (come_q == 2'd2) far_data = {DataW'(beat_data) << 2 * Width} | DataW'(held_q);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      come_q <= 2'd0;
    end else if (beat) begin
      come_q <= last ? 2'd0 : come_d[1:0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (beat && !last) begin
      planes_q <= planes;
      held_q   <= far_data[HeldW-1:0];
    end
  end

  // Stage 2.
  assign side_o   = beat & last;
  assign valid_o  = own_valid | side_o;
  assign planes_o = side_o ? planes : own_planes;
  assign {data2_o, data1_o, data0_o} = side_o ? far_data : own_data;

`ifndef SYNTHESIS
  // The caller's contract.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      own_or_far:        assert (!own_valid || !side_o);
      come_with_beat:    assert (come_q == 2'd0 || beat);
      bypass_has_no_far: assert (!bypass_i || !far_valid_i);
    end
  end
`endif
endmodule
