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
  localparam int unsigned KeyW = 32;        // {AgeW age, WarpW number, zeros}

  localparam logic [WarpW-1:0] LastReset = WarpW'(Warps - 2 + Odd);

  logic [WarpW-1:0] last_q  /*verilator public_flat_rd*/;
  logic                         greedy_q  /*verilator public_flat_rd*/;
  logic [AgeW-1:0]              count_q  /*verilator public_flat_rd*/;
  // A warp's sequence number and its own number, as they stand in a key.
  logic [KeyW-1:0] seq_q [Own + tandem_pkg::SpareRows / 2];

  // Of the greedy rule: the last warp may go on.
  logic stays;
  assign stays = greedy_q && ((elig_i >> last_q) & Warps'(1)) != '0;

  // The key of a warp is larger the older it is and, for equals, the lower its number; 0 if it is
  // not eligible.  It is one subtraction, of the low bits from 63 and of the age modulo its range,
  // as the lower bits never borrow.  The tree is evaluated only when it decides.
  always_comb begin
    logic [KeyW-1:0]  now, key, group, oldest;
    logic [Warps-1:0] after_last, candidates, next;
    now         = '0;
    key         = '0;
    group       = '0;
    oldest      = '0;
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
        now = {count_q, {WarpW{1'b1}}, {KeyW - AgeW - WarpW{1'b0}}};
        for (int g = 0; g < Groups; g++) begin
          group = '0;
          for (int i = g * Own / Groups; i < (g + 1) * Own / Groups; i++) begin
            key = now - seq_q[i];
`ifdef TANDEM_BUGS
            if (bug_i == 8'd30) key = {seq_q[i][KeyW-1-:AgeW], key[KeyW-AgeW-1:0]};
`endif
            if (elig_i[2*i+Odd] && key > group) group = key;
          end
          if (group > oldest) oldest = group;
        end
        pick_warp_o = ~oldest[KeyW-AgeW-1-:WarpW];
      end
    end
  end
  assign pick_valid_o = elig_i != '0;

  // What a launch leaves of a warp for its keys.
  function automatic logic [KeyW-1:0] stamp(input logic [AgeW-1:0] count, input logic [WarpW-1:0] w);
    stamp = {count, w, {KeyW - AgeW - WarpW{1'b0}}};
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (!kernel_start_i) begin
        if (launch_valid_i) begin
          seq_q[launch_warp_i[WarpW-1:1]] <= stamp(count_q, launch_warp_i);
          count_q                         <= count_q + AgeW'(1);
          if (launch_warp_i == last_q) greedy_q <= 1'b0;
`ifdef TANDEM_BUGS
          if (bug_i == 8'd31) greedy_q <= greedy_q;
`endif
        end
        if (grant_i) begin
          last_q   <= pick_warp_o;
          greedy_q <= 1'b1;
        end
      end else begin
        last_q   <= LastReset;
        greedy_q <= 1'b0;
        count_q  <= '0;
        for (int i = 0; i < Own; i++) seq_q[i] <= stamp('0, WarpW'(2 * i + Odd));
      end
    end else begin
      last_q   <= LastReset;
      greedy_q <= 1'b0;
      count_q  <= '0;
      for (int i = 0; i < Own; i++) seq_q[i] <= stamp('0, WarpW'(2 * i + Odd));
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
