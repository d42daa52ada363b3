// Park: where the warps of a group that came apart wait for each other, and the roll by which its
// members find out whether they agree (docs/buddy.md, Halfway).
//
// While park_i, a warp that the scheduler picks at park_pc stops there instead of being issued, if
// its stack has no entry more than when the member became independent (above).  While call_i, a
// leader calls its parked warps, an even and an odd one a cycle, and then says how many there were; a
// follower compares each with its own.  Warps launched since they all parked are not in the roll.
//
// kernel_start wins over everything.
//
// Illegal: a new park PC while warps park; two of resolve, pop and launch of a warp in a cycle.

module park #(
  parameter int unsigned Warps = tandem_pkg::Warps
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0]                    bug_i,
`endif
  input  logic                          kernel_start_i,
  input  logic                          park_i,
  input  logic                          together_i,  // the member leads or follows

  // Where to park
  input  logic                          set_valid_i,
  input  logic [tandem_pkg::PcW-1:0]    set_pc_i,

  // What happens to warps
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
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned AboveW = 5;
  localparam int unsigned CountW = 6;
  localparam int unsigned Rows = Warps + tandem_pkg::SpareRows;
  localparam logic [Warps-1:0] Even = {(Warps / 2) {2'b01}};

  logic [PcW-1:0]          park_pc_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0]        level_q;         // above is 0
  logic [AboveW-1:0]       above_q [Rows];  // of a warp that is not level
  logic [Warps-1:0]        parked_q;
  logic [Warps-1:0]        done_q  /*verilator public_flat_rd*/;
  logic [CountW-1:0]       count_q  /*verilator public_flat_rd*/;
  logic                    ended_q  /*verilator public_flat_rd*/;
  logic                    stale_q;  // the last cycle may have changed one of these

  function automatic logic [Warps-1:0] one(input logic valid, input logic [WarpW-1:0] warp);
    one = Warps'(valid) << warp;
  endfunction

  // Warps that may park.
  logic [Warps-1:0] stays;
  always_comb begin
    stays = level_q;
`ifdef TANDEM_BUGS
    // Whatever is on its stack.
    if (bug_i == 8'd90) stays = '1;
`endif
  end

  // Picks that park.
  logic [Warps-1:0] stops;
  always_comb begin
    {stop0_o, stop1_o} = '0;
    stops = '0;
    if (park_i) begin
      stop0_o = pick0_valid_i && pick0_pc_i == park_pc_q &&
                (stays & one(1'b1, pick0_warp_i)) != '0;
      stop1_o = pick1_valid_i && pick1_pc_i == park_pc_q &&
                (stays & one(1'b1, pick1_warp_i)) != '0;
      stops   = one(stop0_o, pick0_warp_i) | one(stop1_o, pick1_warp_i);
    end
  end

  assign parked_o = parked_q;
  assign all_o    = (live_i & ~parked_q) == '0;
  always_comb begin
    cancel_o = (parked_q & held_i) != '0;
`ifdef TANDEM_BUGS
    // Nobody waits for the lowest parked warp.
    if (bug_i == 8'd94) cancel_o = (parked_q & (parked_q - Warps'(1)) & held_i) != '0;
`endif
  end

  // The leader's roll: who is left, and the first of them of either parity.
  logic [Warps-1:0] first0, first1;
  always_comb begin
    logic [Warps-1:0] left0, left1;
    left0         = '0;
    left1         = '0;
    first0        = '0;
    first1        = '0;
    call0_valid_o = 1'b0;
    call0_warp_o  = '0;
    call1_valid_o = 1'b0;
    call1_warp_o  = '0;
    last_valid_o  = 1'b0;
    if (call_i) begin
      left0  = parked_q & ~done_q & Even;
      left1  = parked_q & ~done_q & ~Even;
`ifdef TANDEM_BUGS
      // The last warp is not called.
      if (bug_i == 8'd91) left1[Warps-1] = 1'b0;
`endif
      first0        = left0 & (~left0 + Warps'(1));
      first1        = left1 & (~left1 + Warps'(1));
      call0_valid_o = left0 != '0;
      call1_valid_o = left1 != '0;
      call0_warp_o  = tandem_pkg::encode(64'(first0));
      call1_warp_o  = tandem_pkg::encode(64'(first1));
      last_valid_o  = !call0_valid_o && !call1_valid_o && !ended_q;
    end
  end
  assign last_count_o  = count_q;

  // A follower's answer.
  always_comb begin
    logic              same0, same1, here0, here1;
    logic [CountW-1:0] parks;
    same0     = 1'b0;
    same1     = 1'b0;
    here0     = 1'b0;
    here1     = 1'b0;
    parks     = '0;
    differs_o = 1'b0;
    if (called0_valid_i || called1_valid_i) begin
      same0 = called0_depth_i == depth0_i;
      same1 = called1_depth_i == depth1_i;
`ifdef TANDEM_BUGS
      // Whether lanes wait is not compared.
      if (bug_i == 8'd95) same0 = called0_depth_i[4:0] == depth0_i[4:0];
`endif
      here0 = same0 && (parked_q & one(1'b1, called0_warp_i)) != '0;
      here1 = same1 && (parked_q & one(1'b1, called1_warp_i)) != '0;
      differs_o = (called0_valid_i & ~here0) | (called1_valid_i & ~here1);
    end
    if (end_valid_i) begin
      for (int w = 0; w < Warps; w++) parks = parks + CountW'(parked_q[w]);
`ifdef TANDEM_BUGS
      // The leader's number is not compared.
      if (bug_i == 8'd93) parks = end_count_i;
`endif
      if (end_count_i != parks) differs_o = 1'b1;
    end
  end

  // Entries on the stacks that were not there when the member became independent.
  logic [AboveW-1:0] res_above, pop_above;
  always_comb begin
    res_above = '0;
    pop_above = '0;
    if (!together_i) begin
      if (res_valid_i) begin
        res_above = AboveW'(res_push_i);
        if ((level_q & one(1'b1, res_warp_i)) == '0) res_above = res_above + above_q[res_warp_i];
      end
      if (pop_valid_i) begin
        pop_above = above_q[pop_warp_i] - AboveW'(1);
`ifdef TANDEM_BUGS
        // Once something was above, it stays.
        if (bug_i == 8'd92) pop_above = above_q[pop_warp_i];
`endif
      end
    end
  end
  // While the member works as one with others, its first cycle clears these; then they stay.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0]  level, parks, done;
    logic [CountW-1:0] count;
    logic              ended;
    level = '1;
    parks = '0;
    done  = '0;
    count = '0;
    ended = 1'b0;
    if (rst_ni) begin
      if (!together_i || park_i || call_i || stale_q) begin
        if (!kernel_start_i) begin
          if (!together_i) begin
            level = level_q;
            if (launch_valid_i || res_valid_i || pop_valid_i) begin
              level = level | one(launch_valid_i, launch_warp_i);
              if (res_above != '0) level = level & ~one(res_valid_i, res_warp_i);
              if (pop_above == '0) level = level | one(pop_valid_i, pop_warp_i);
              if (res_valid_i) above_q[res_warp_i] <= res_above;
              if (pop_valid_i) above_q[pop_warp_i] <= pop_above;
            end
          end
          if (park_i) parks = parked_q | stops;
          if (call_i) begin
            done  = done_q | first0 | first1;
            count = count_q + CountW'(call0_valid_o) + CountW'(call1_valid_o);
            ended = ended_q | last_valid_o;
          end
        end
        stale_q  <= ~together_i | park_i | call_i;
        level_q  <= level;
        parked_q <= parks;
        done_q   <= done;
        count_q  <= count;
        ended_q  <= ended;
      end
      if (kernel_start_i)   park_pc_q <= tandem_pkg::NoRpc;
      else if (set_valid_i) park_pc_q <= set_pc_i;
    end else begin
      {parked_q, done_q, count_q, ended_q, stale_q} <= '0;
      level_q   <= '1;
      park_pc_q <= tandem_pkg::NoRpc;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert (!(set_valid_i && park_i));
      assert (!res_valid_i || !pop_valid_i || res_warp_i != pop_warp_i);
      assert (!res_valid_i || !launch_valid_i || res_warp_i != launch_warp_i);
      assert (!pop_valid_i || !launch_valid_i || pop_warp_i != launch_warp_i);
      assert (!pick0_valid_i || !pick0_warp_i[0]);
      assert (!pick1_valid_i || pick1_warp_i[0]);
    end
  end
`endif

`ifdef FORMAL
  // What tests/formal/park.sv proves, here for the sake of the registers.  Of each stack: how deep it
  // is, and the least that it was since the member became independent.
  logic [Warps*AboveW-1:0] f_depth, f_floor, f_next;
  logic [Warps-1:0]        launched, pushes, pops;
  assign launched = one(launch_valid_i, launch_warp_i);
  assign pushes   = one(res_valid_i, res_warp_i);
  assign pops     = one(pop_valid_i, pop_warp_i);
  logic [Warps-1:0]        f_called;  // in this roll
  logic [CountW-1:0]       f_count;
  always_comb begin
    f_next  = f_depth;
    f_count = '0;
    for (int w = 0; w < Warps; w++) begin
      if (pushes[w]) f_next[w*AboveW+:AboveW] = f_depth[w*AboveW+:AboveW] + AboveW'(res_push_i);
      if (pops[w])   f_next[w*AboveW+:AboveW] = f_depth[w*AboveW+:AboveW] - AboveW'(1);
      if (launched[w] || kernel_start_i) f_next[w*AboveW+:AboveW] = '0;
      f_count = f_count + CountW'(f_called[w]);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int w = 0; w < Warps; w++) begin
      f_depth[w*AboveW+:AboveW] <= rst_ni ? f_next[w*AboveW+:AboveW] : '0;
      if (!rst_ni || together_i || kernel_start_i ||
          f_next[w*AboveW+:AboveW] < f_floor[w*AboveW+:AboveW])
        f_floor[w*AboveW+:AboveW] <= rst_ni ? f_next[w*AboveW+:AboveW] : '0;
    end
    f_called <= (rst_ni && call_i && !kernel_start_i)
                ? f_called | one(call0_valid_o, call0_warp_o) | one(call1_valid_o, call1_warp_o)
                : '0;
  end
  always_comb begin
    if (rst_ni) begin
      assume ((pushes & pops) == '0 && ((pushes | pops) & launched) == '0);
      assume (!call_i || (park_i && !pick0_valid_i && !pick1_valid_i));
      for (int w = 0; w < Warps; w++) begin
        assume (!pops[w] || f_depth[w*AboveW+:AboveW] != '0);
        assume (!pushes[w] || f_depth[w*AboveW+:AboveW] + AboveW'(res_push_i) <= AboveW'(16));
        assert (f_depth[w*AboveW+:AboveW] <= AboveW'(16));
        // What parks has no entry that was not there before.
        assert ((level_q[w] ? AboveW'(0) : above_q[w]) ==
                f_depth[w*AboveW+:AboveW] - f_floor[w*AboveW+:AboveW]);
        assert (level_q[w] || above_q[w] != '0);
        assert (f_floor[w*AboveW+:AboveW] <= f_depth[w*AboveW+:AboveW]);
        assert (!stops[w] || f_depth[w*AboveW+:AboveW] == f_floor[w*AboveW+:AboveW]);
      end
      assert (stale_q || (level_q == '1 && {parked_q, done_q, count_q, ended_q} == '0));
      // The roll calls each parked warp once, and nobody else.
      assert (done_q == f_called && (f_called & ~parked_q) == '0 && count_q == f_count);
      assert (!call0_valid_o || (one(1'b1, call0_warp_o) & f_called) == '0);
      assert (!call1_valid_o || (one(1'b1, call1_warp_o) & f_called) == '0);
      assert (!last_valid_o || (f_called == parked_q && last_count_o == f_count));
      cover (last_valid_o && last_count_o == CountW'(Warps));
      cover (stop0_o && f_floor[AboveW-1:0] != '0 && pick0_warp_i == '0);
    end
  end
`endif
endmodule
