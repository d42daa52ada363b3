// Warp scheduler: picks one eligible warp of its parity.
//
// Greedy then oldest: stays with the warp that issued last while it is eligible, else takes the
// eligible warp that was launched longest ago (the lower one of two launched equally long ago,
// which only never-launched warps are).  Loose round robin (lrr_i): the next eligible warp after
// the last in cyclic order.  A launch of the last warp ends its greed, but a grant in the same
// cycle wins.  kernel_start wins over everything.
//
// Illegal: eligible or launched warps of the other parity; a grant without a pick.

module warp_scheduler #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter bit          Parity = 1'b0
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0]                   bug_i,
`endif
  input  logic                         kernel_start_i,
  input  logic                         lrr_i,

  input  logic                         launch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] launch_warp_i,

  // Issue
  input  logic [Warps-1:0]             elig_i,
  output logic                         pick_valid_o,
  output logic [tandem_pkg::WarpW-1:0] pick_warp_o,
  input  logic                         grant_i
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned Own = Warps / 2;  // warps of this parity
  localparam int unsigned Odd = Parity ? 1 : 0;
  localparam int unsigned Groups = 8;       // first level of the age tree
  localparam int unsigned AgeW = 16;
  localparam int unsigned KeyW = 1 + AgeW + WarpW;

  localparam logic [WarpW-1:0] LastReset = WarpW'(Warps - 2 + Odd);

  logic [WarpW-1:0] last_q  /*verilator public_flat_rd*/;
  logic                         greedy_q  /*verilator public_flat_rd*/;
  logic [AgeW-1:0]              count_q  /*verilator public_flat_rd*/;
  logic [AgeW-1:0]              seq_q [Own + tandem_pkg::SpareRows / 2];

  // Of the greedy rule: the last warp may go on.
  logic stays;
  assign stays = greedy_q && ((elig_i >> last_q) & Warps'(1)) != '0;

  // The key of a warp is larger the older it is and, for equals, the lower its number; 0 if it is
  // not eligible.  The tree is evaluated only when it decides.
  logic [KeyW-1:0] key, group, oldest;
  logic [AgeW-1:0] age;
  logic [Warps-1:0] after_last, candidates, next;
  always_comb begin
    key         = '0;
    group       = '0;
    oldest      = '0;
    age         = '0;
    after_last  = '0;
    candidates  = '0;
    next        = '0;
    pick_warp_o = '0;
    if (pick_valid_o) begin
      if (lrr_i) begin
        after_last = elig_i & (~(Warps'(1)) << last_q);
`ifdef TANDEM_BUGS
        if (bug_i == 8'd32) after_last = elig_i & (~(Warps'(7)) << last_q);
`endif
        candidates  = (after_last != '0) ? after_last : elig_i;
        next        = candidates & (~candidates + Warps'(1));
        pick_warp_o = tandem_pkg::encode(64'(next));
      end else if (stays) begin
        pick_warp_o = last_q;
      end else begin
        for (int g = 0; g < Groups; g++) begin
          group = '0;
          for (int i = g * Own / Groups; i < (g + 1) * Own / Groups; i++) begin
            age = count_q - seq_q[i];
`ifdef TANDEM_BUGS
            if (bug_i == 8'd30) age = seq_q[i];
`endif
            key = {1'b1, age, WarpW'(63 - Odd - 2 * i)};
            if (elig_i[2*i+Odd] && key > group) group = key;
          end
          if (group > oldest) oldest = group;
        end
        pick_warp_o = ~oldest[WarpW-1:0];
      end
    end
  end
  assign pick_valid_o = elig_i != '0;

  logic unused_oldest;
  assign unused_oldest = 1'b0 & ^oldest[KeyW-1:WarpW];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_q   <= LastReset;
      greedy_q <= 1'b0;
      count_q  <= '0;
      for (int i = 0; i < Own; i++) seq_q[i] <= '0;
    end else if (kernel_start_i) begin
      last_q   <= LastReset;
      greedy_q <= 1'b0;
      count_q  <= '0;
      for (int i = 0; i < Own; i++) seq_q[i] <= '0;
    end else begin
      if (launch_valid_i) begin
        seq_q[launch_warp_i[WarpW-1:1]] <= count_q;
        count_q                                     <= count_q + AgeW'(1);
        if (launch_warp_i == last_q) greedy_q <= 1'b0;
`ifdef TANDEM_BUGS
        if (bug_i == 8'd31) greedy_q <= greedy_q;
`endif
      end
      if (grant_i) begin
        last_q   <= pick_warp_o;
        greedy_q <= 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  localparam logic [Warps-1:0] OwnMask = {Own{Parity ? 2'b10 : 2'b01}};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert ((elig_i & ~OwnMask) == '0);
      assert (!launch_valid_i || launch_warp_i[0] == Parity);
      assert (!grant_i || pick_valid_o);
    end
  end
`endif
endmodule
