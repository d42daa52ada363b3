// Verdict windows: a warp whose branch or exit was resolved stays in its window until an objection of
// a slave would have taken effect, Window cycles after the one that shows the resolve.
//
// While on_i is low no window opens.  clear_i closes all and wins over everything.

module verdict_windows #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Window = 6
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         clear_i,
  input  logic                         on_i,

  // A resolve, and where its branch reconverges
  input  logic                         rs_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] rs_warp_i,
  input  logic [tandem_pkg::PcW-1:0]   rs_rpc_i,

  output logic [Warps-1:0]             verdict_o,  // warps in a window
  output logic [tandem_pkg::PcW-1:0]   rpc_o       // of the window that closes; else NoRpc
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;

  logic [Window-1:0] window_q;  // bit i: one that opened i + 1 cycles ago
  logic [Warps-1:0]  verdict_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0]  opens, verdict_d;

  logic moves;
  assign moves = on_i && (rs_valid_i || window_q != '0);

  for (genvar i = 0; i < Window; i++) begin : g_window
    logic             comes;
    logic [WarpW-1:0] warp, warp_q;
    logic [PcW-1:0]   rpc, rpc_q;
    if (i == 0) begin : g_first
      assign comes = rs_valid_i;
      assign warp  = rs_warp_i;
      assign rpc   = rs_rpc_i;
    end else begin : g_next
      assign comes = window_q[i-1];
      assign warp  = g_window[i-1].warp_q;
      assign rpc   = g_window[i-1].rpc_q;
    end
    always_ff @(posedge clk_i) begin
      if (moves) begin
        if (comes) begin
          warp_q <= warp;
          rpc_q  <= rpc;
        end
      end
    end
  end
  assign rpc_o = window_q[Window-1] ? g_window[Window-1].rpc_q : tandem_pkg::NoRpc;

  logic [Warps-1:0] closes;
  always_comb begin
    closes = '0;
    if (window_q[Window-1]) closes = Warps'(1) << g_window[Window-1].warp_q;
  end
  always_comb begin
    opens = '0;
    if (rs_valid_i && on_i) opens = Warps'(1) << rs_warp_i;
    verdict_o = verdict_q | opens;
    verdict_d = (verdict_q & ~closes) | opens;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {window_q, verdict_q} <= '0;
    end else if (clear_i) begin
      {window_q, verdict_q} <= '0;
    end else if (moves) begin
      window_q  <= Window'({window_q, rs_valid_i});
      verdict_q <= verdict_d;
    end
  end
endmodule
