// Registers that each warp has yet to read (rpend), how many of its instructions have operands to
// collect (uncol), and whether that keeps its head waiting: the side of the scoreboard for WAR hazards.
//
// Collections release: with the last one nothing of the warp is still to be read.  Then issues
// reserve, then heads change.  Only the rows that a port names are worked out, and only groups of
// rows with such a row are looked at.
//
// Illegal: a collection when none is outstanding.

module pending_reads #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Ports = 4  // of collections
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                kernel_start_i,

  // Collections, a row of each port
  input  logic [Ports-1:0]                    col_valid_i,
  input  logic [Ports*tandem_pkg::WarpW-1:0]  col_warp_i,

  // Issue: warps, what an even and an odd one reads, and whether it has operands to collect
  input  logic [Warps-1:0]                    issued_i,
  input  logic [Warps-1:0]                    piped_i,
  input  logic [tandem_pkg::SetW-1:0]         even_set_i,
  input  logic [tandem_pkg::SetW-1:0]         odd_set_i,

  // New heads, from fetch and of the even and odd warps that issue: what they write
  input  logic [Warps-1:0]                    fresh_i,
  input  logic [Warps-1:0]                    next_i,
  input  logic [tandem_pkg::SetW-1:0]         fresh_head_i,
  input  logic [tandem_pkg::SetW-1:0]         even_head_i,
  input  logic [tandem_pkg::SetW-1:0]         odd_head_i,

  output logic [Warps-1:0]                    hit_o,  // the head writes what is still to be read
  output logic [Warps-1:0]                    some_o  // something is still to be collected
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned SetW = tandem_pkg::SetW;
  localparam int unsigned CountW = 6;
  localparam int unsigned Group = 6;  // rows that are looked at together

  logic [SetW-1:0]   rpend_q [Warps]  /*verilator public_flat_rd*/;
  logic [CountW-1:0] uncol_q [Warps]  /*verilator public_flat_rd*/;
  logic [Warps-1:0]  hit_q, some_q;

  // The warp that each port names.
  logic [Warps-1:0] port_warp [Ports];
  logic [Warps-1:0] touched;
  always_comb begin
    touched = issued_i | fresh_i | next_i;
    for (int k = 0; k < Ports; k++) begin
      port_warp[k] = '0;
      if (col_valid_i[k]) port_warp[k] = Warps'(1) << col_warp_i[k*WarpW+:WarpW];
      touched = touched | port_warp[k];
    end
  end

  // The rows.  Blocking assignments, as a hit is of the row as it then is; this process alone reads and
  // writes them.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0]  hit, some;
    logic [SetW-1:0]   added, head;
    logic [CountW-1:0] count;
    {hit, some, added, head, count} = '0;
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        rpend_q[w] = '0;
        uncol_q[w] = '0;
      end
      {hit_q, some_q} <= '0;
    end else begin
      if (kernel_start_i) begin
        for (int w = 0; w < Warps; w++) begin
          rpend_q[w] = '0;
          uncol_q[w] = '0;
        end
      end else begin
        {hit, some} = {hit_q, some_q};
        for (int g = 0; g < Warps; g += Group) if (touched[g+:Group] != '0)
          for (int w = g; w < g + Group; w++) if (touched[w]) begin
            count = '0;
            for (int k = 0; k < Ports; k++) count = count + CountW'(port_warp[k][w]);
`ifndef SYNTHESIS
            begin : collected_pending
              assert (uncol_q[w] >= count);
            end
`endif
            count = uncol_q[w] - count;
            added = (w % 2 == 0 ? even_set_i : odd_set_i) & {SetW{issued_i[w]}};
            head  = fresh_i[w] ? fresh_head_i : w % 2 == 0 ? even_head_i : odd_head_i;
            rpend_q[w] = (rpend_q[w] & {SetW{count != '0}}) | added;
            uncol_q[w] = piped_i[w] ? count + CountW'(1) : count;
            if (fresh_i[w] || next_i[w]) hit[w] = (rpend_q[w] & head) != '0;
            else if (count == '0)        hit[w] = 1'b0;
            some[w] = uncol_q[w] != '0;
          end
      end
      {hit_q, some_q} <= {hit, some};
    end
  end
  /* verilator lint_on BLKSEQ */
  assign hit_o  = hit_q;
  assign some_o = some_q;
endmodule
