// Registers that each warp has yet to write (wpend), and whether that keeps its head waiting: the side
// of the scoreboard for RAW and WAW hazards.
//
// Write-backs release, then issues reserve, then heads change.  Only the rows that a port names
// are worked out, and only groups of rows with such a row are looked at.  Why not simply give each row
// its next value?  A simulator then works out all 48 rows in each cycle, and a front end takes three
// times as long.

module pending_writes #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Ports = 4  // of write-backs
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                kernel_start_i,

  // Write-backs, a row of each port
  input  logic [Ports-1:0]                    wb_valid_i,
  input  logic [Ports*tandem_pkg::WarpW-1:0]  wb_warp_i,
  input  logic [Ports*5-1:0]                  wb_reg_i,
  input  logic [Ports*2-1:0]                  wb_size_i,
  input  logic [Ports-1:0]                    wb_pred_i,

  // Issue: warps, and what an even and an odd one writes
  input  logic [Warps-1:0]                    issued_i,
  input  logic [tandem_pkg::SetW-1:0]         even_set_i,
  input  logic [tandem_pkg::SetW-1:0]         odd_set_i,

  // New heads, from fetch and of the even and odd warps that issue: what they read or write
  input  logic [Warps-1:0]                    fresh_i,
  input  logic [Warps-1:0]                    next_i,
  input  logic [tandem_pkg::SetW-1:0]         fresh_head_i,
  input  logic [tandem_pkg::SetW-1:0]         even_head_i,
  input  logic [tandem_pkg::SetW-1:0]         odd_head_i,

  output logic [Warps-1:0]                    hit_o,  // the head reads or writes what is to be written
  output logic [Warps-1:0]                    some_o  // something is to be written
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned SetW = tandem_pkg::SetW;
  localparam int unsigned Group = 6;  // rows that are looked at together

  logic [SetW-1:0]  wpend_q [Warps]  /*verilator public_flat_rd*/;
  logic [SetW-1:0]  head_q [Warps];
  logic [Warps-1:0] hit_q, some_q;

  // The warp that each port names, and what it releases.
  logic [Warps-1:0] port_warp [Ports];
  logic [SetW-1:0]  port_set [Ports];
  always_comb begin
    for (int k = 0; k < Ports; k++) begin
      port_warp[k] = '0;
      port_set[k]  = '0;
      if (`FAULT(5, wb_valid_i[k], wb_valid_i[k] && !(k == 3 && wb_valid_i[0]))) begin
        port_warp[k] = Warps'(1) << wb_warp_i[k*WarpW+:WarpW];
        port_set[k]  = tandem_pkg::release_set(wb_reg_i[k*5+:5], wb_size_i[k*2+:2], wb_pred_i[k]);
      end
    end
  end

  logic [Warps-1:0] released, touched;
  always_comb begin
    released = '0;
    for (int k = 0; k < Ports; k++) released = released | port_warp[k];
    touched = released | issued_i | fresh_i | next_i;
  end

  // The rows.  Blocking assignments, as a hit is of the row as it then is; this process alone reads and
  // writes them.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0] hit, some;
    logic [SetW-1:0]  done, added;
    {hit, some, done, added} = '0;
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) wpend_q[w] = '0;
      {hit_q, some_q} <= '0;
    end else begin
      if (kernel_start_i) begin
        for (int w = 0; w < Warps; w++) wpend_q[w] = '0;
      end else begin
        {hit, some} = {hit_q, some_q};
        for (int g = 0; g < Warps; g += Group) if (touched[g+:Group] != '0)
          for (int w = g; w < g + Group; w++) if (touched[w]) begin
            done = '0;
            for (int k = 0; k < Ports; k++) done = done | (port_set[k] & {SetW{port_warp[k][w]}});
            added      = (w % 2 == 0 ? even_set_i : odd_set_i) & {SetW{issued_i[w]}};
            wpend_q[w] = (wpend_q[w] & ~done) | added;
            if (fresh_i[w]) head_q[w] = fresh_head_i;
            if (next_i[w])  head_q[w] = w % 2 == 0 ? even_head_i : odd_head_i;
            hit[w]  = (wpend_q[w] & head_q[w]) != '0;
            some[w] = wpend_q[w] != '0;
          end
      end
      {hit_q, some_q} <= {hit, some};
    end
  end
  /* verilator lint_on BLKSEQ */
  assign hit_o  = hit_q;
  assign some_o = some_q;
endmodule
