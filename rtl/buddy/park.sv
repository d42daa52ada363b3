// Park: where the warps of a group that came apart wait for each other, and the roll by which its
// members find out whether they agree (docs/hardware/buddy_halfway.md, Halfway).
//
// While park_i, a warp that the scheduler picks at park_pc stops there instead of being issued, if
// its stack has no entry more than when the member became independent (park_above).  The roll
// (roll_call) is of parked warps: those launched since they all parked are not in it.
//
// kernel_start wins over everything.
//
// Illegal: a new park PC while warps park; two of resolve, pop and launch of a warp in a cycle; an odd warp
// as pick 0 or called 0, an even one as pick 1 or called 1.

module park #(
  parameter int unsigned Warps = tandem_pkg::Warps
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          kernel_start_i,
  input  logic                          park_i,
  input  logic                          together_i,  // the member leads or follows

  // Where to park
  input  logic                          set_valid_i,
  input  logic [tandem_pkg::PcW-1:0]    set_pc_i,

  // Events of warps
  input  logic                          launch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  launch_warp_i,
  input  logic                          res_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  res_warp_i,
  input  logic [1:0]                    res_push_i,
  input  logic                          pop_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  pop_warp_i,
  input  logic [Warps-1:0]              live_i,
  input  logic [Warps-1:0]              held_i,

  // Picks of the schedulers
  input  logic                          pick0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  pick0_warp_i,
  input  logic [tandem_pkg::PcW-1:0]    pick0_pc_i,
  input  logic                          pick1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  pick1_warp_i,
  input  logic [tandem_pkg::PcW-1:0]    pick1_pc_i,
  output logic                          stop0_o,
  output logic                          stop1_o,
  output logic [Warps-1:0]              parked_o,
  output logic                          all_o,
  output logic                          cancel_o,  // a warp at a barrier waits for a parked one

  // Roll call, of a leader
  input  logic                          call_i,
  output logic                          call0_valid_o,
  output logic [tandem_pkg::WarpW-1:0]  call0_warp_o,
  output logic                          call1_valid_o,
  output logic [tandem_pkg::WarpW-1:0]  call1_warp_o,
  output logic                          last_valid_o,
  output logic [5:0]                    last_count_o,

  // Its roll as a follower hears it; depths are those of its own stacks
  input  logic                          called0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  called0_warp_i,
  input  logic [tandem_pkg::DepthW-1:0] called0_depth_i,
  input  logic                          called1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  called1_warp_i,
  input  logic [tandem_pkg::DepthW-1:0] called1_depth_i,
  input  logic                          end_valid_i,
  input  logic [5:0]                    end_count_i,
  input  logic [tandem_pkg::DepthW-1:0] depth0_i,
  input  logic [tandem_pkg::DepthW-1:0] depth1_i,
  output logic                          differs_o
);
  localparam int unsigned PcW = tandem_pkg::PcW;

  logic [PcW-1:0]   park_pc_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0] parked_q, parked_d;
  logic             stale_q;  // the last cycle may have changed something

  // While the member works as one with others, its first cycle clears all; then it stays.
  logic moves;
  assign moves = !together_i || park_i || call_i || stale_q;

  logic [Warps-1:0] level;
  park_above #(
    .Warps(Warps)
  ) u_above (
    .clk_i, .rst_ni,
    .kernel_start_i, .together_i, .moves_i(moves), .launch_valid_i, .launch_warp_i, .res_valid_i,
    .res_warp_i, .res_push_i, .pop_valid_i, .pop_warp_i, .level_o(level)
  );

  roll_call #(
    .Warps(Warps)
  ) u_roll (
    .clk_i, .rst_ni,
    .kernel_start_i, .moves_i(moves), .parked_i(parked_q), .call_i, .call0_valid_o, .call0_warp_o,
    .call1_valid_o, .call1_warp_o, .last_valid_o, .last_count_o, .called0_valid_i, .called0_warp_i,
    .called0_depth_i, .called1_valid_i, .called1_warp_i, .called1_depth_i, .end_valid_i,
    .end_count_i, .depth0_i, .depth1_i, .differs_o
  );

  // Picks that park.
  park_stop #(
    .Warps(Warps)
  ) u_stop0 (
    .park_i, .park_pc_i(park_pc_q), .stays_i(level), .pick_valid_i(pick0_valid_i),
    .pick_warp_i(pick0_warp_i), .pick_pc_i(pick0_pc_i), .stop_o(stop0_o)
  );
  park_stop #(
    .Warps(Warps)
  ) u_stop1 (
    .park_i, .park_pc_i(park_pc_q), .stays_i(level), .pick_valid_i(pick1_valid_i),
    .pick_warp_i(pick1_warp_i), .pick_pc_i(pick1_pc_i), .stop_o(stop1_o)
  );
  logic [Warps-1:0] stops;
  always_comb begin
    stops = '0;
    if (stop0_o) stops = Warps'(1) << pick0_warp_i;
    if (stop1_o) stops = stops | (Warps'(1) << pick1_warp_i);
  end

  assign parked_o = parked_q;
  assign all_o    = (live_i & ~parked_q) == '0;
  assign cancel_o = (parked_q & held_i) != '0;

  always_comb begin
    parked_d = '0;
    if (park_i && !kernel_start_i) parked_d = parked_q | stops;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {parked_q, stale_q} <= '0;
      park_pc_q           <= tandem_pkg::NoRpc;
    end else begin
      if (moves) begin
        parked_q <= parked_d;
        stale_q  <= ~together_i | park_i | call_i;
      end
      if (kernel_start_i)   park_pc_q <= tandem_pkg::NoRpc;
      else if (set_valid_i) park_pc_q <= set_pc_i;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      set_unless_parked: assert (kernel_start_i || !(set_valid_i && park_i));
      pick0_even:        assert (!pick0_valid_i || !pick0_warp_i[0]);
      pick1_odd:         assert (!pick1_valid_i || pick1_warp_i[0]);
      called0_even:      assert (!called0_valid_i || !called0_warp_i[0]);
      called1_odd:       assert (!called1_valid_i || called1_warp_i[0]);
    end
  end
`endif

`ifdef FORMAL
  // tests/formal/park.sv
  park_properties #(
    .Warps(Warps)
  ) u_properties (
    .rst_ni, .park_i, .call_i, .moves_i(moves), .pick0_valid_i, .pick1_valid_i, .stops_i(stops),
    .level_i(level), .parked_i(parked_q)
  );
`endif
endmodule
