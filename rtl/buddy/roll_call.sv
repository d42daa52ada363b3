// Roll call: how the members of a group that came apart find out whether they agree (docs/hardware/buddy_halfway.md,
// Halfway).  While call_i, a leader calls its parked warps, an even and an odd one a cycle, and then
// reports how many there were.  A follower compares each with its own.
//
// kernel_start wins over everything.  While moves_i is low nothing changes.

module roll_call #(
  parameter int unsigned Warps = tandem_pkg::Warps
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          kernel_start_i,
  input  logic                          moves_i,
  input  logic [Warps-1:0]              parked_i,

  // Leader
  input  logic                          call_i,
  output logic                          call0_valid_o,
  output logic [tandem_pkg::WarpW-1:0]  call0_warp_o,
  output logic                          call1_valid_o,
  output logic [tandem_pkg::WarpW-1:0]  call1_warp_o,
  output logic                          last_valid_o,
  output logic [5:0]                    last_count_o,

  // Follower: the leader's call; depths are those of the follower's own stacks
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
  localparam int unsigned CountW = 6;
  localparam logic [Warps-1:0] Even = {(Warps / 2) {2'b01}};

  logic [Warps-1:0]  done_q  /*verilator public_flat_rd*/;  // warps that have been called
  logic [CountW-1:0] count_q  /*verilator public_flat_rd*/;
  logic              ended_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0]  done_d;
  logic [CountW-1:0] count_d;
  logic              ended_d;

  // Warps that are left to call, and the first of either parity.
  logic [Warps-1:0] left0, left1, first0, first1;
  always_comb begin
    {left0, left1, first0, first1} = '0;
    {call0_valid_o, call1_valid_o} = '0;
    {call0_warp_o, call1_warp_o}   = '0;
    last_valid_o                   = 1'b0;
    if (call_i) begin
      left0 = parked_i & ~done_q & Even;
      left1 = parked_i & ~done_q & ~Even;
      first0        = left0 & (~left0 + Warps'(1));
      first1        = left1 & (~left1 + Warps'(1));
      call0_valid_o = left0 != '0;
      call1_valid_o = left1 != '0;
      call0_warp_o  = tandem_pkg::encode(64'(first0));
      call1_warp_o  = tandem_pkg::encode(64'(first1));
      last_valid_o  = !call0_valid_o && !call1_valid_o && !ended_q;
    end
  end
  assign last_count_o = count_q;

  // A follower's answer.
  logic              same0, same1, here0, here1;
  logic [CountW-1:0] parks;
  always_comb begin
    {same0, same1, here0, here1} = '0;
    parks     = '0;
    differs_o = 1'b0;
    if (called0_valid_i || called1_valid_i) begin
      same0 = called0_depth_i == depth0_i;
      same1 = called1_depth_i == depth1_i;
      here0 = same0 && (parked_i & (Warps'(1) << called0_warp_i)) != '0;
      here1 = same1 && (parked_i & (Warps'(1) << called1_warp_i)) != '0;
      differs_o = (called0_valid_i & ~here0) | (called1_valid_i & ~here1);
    end
    if (end_valid_i) begin
      for (int w = 0; w < Warps; w++) parks = parks + CountW'(parked_i[w]);
      if (end_count_i != parks) differs_o = 1'b1;
    end
  end

  always_comb begin
    done_d  = '0;
    count_d = '0;
    ended_d = 1'b0;
    if (call_i && !kernel_start_i) begin
      done_d  = done_q | first0 | first1;
      count_d = count_q + CountW'(call0_valid_o) + CountW'(call1_valid_o);
      ended_d = ended_q | last_valid_o;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      {done_q, count_q, ended_q} <= '0;
    else if (moves_i) {done_q, count_q, ended_q} <= {done_d, count_d, ended_d};
  end

`ifdef FORMAL
  // tests/formal/park.sv
  roll_call_properties #(
    .Warps(Warps)
  ) u_properties (
    .clk_i, .rst_ni, .kernel_start_i, .moves_i, .parked_i, .call_i, .call0_valid_i(call0_valid_o),
    .call0_warp_i(call0_warp_o), .call1_valid_i(call1_valid_o), .call1_warp_i(call1_warp_o),
    .last_valid_i(last_valid_o), .last_count_i(last_count_o), .done_i(done_q), .count_i(count_q),
    .ended_i(ended_q)
  );
`endif
endmodule
