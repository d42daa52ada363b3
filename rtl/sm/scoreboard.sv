// Scoreboard: for each warp, which registers and predicates are to be written (wpend) and which are
// still to be read (rpend) by instructions in flight, and whether the warp's head must wait for
// them (hazard).
//
// A set is 48 bits: registers 31..0, predicates above them.  The head's operand sets are expanded
// when it becomes the head and kept, as they are needed at every change of the pending sets.  The
// hazard of all warps is a register, worked out only for the warps that change: it starts the
// critical path through the schedulers.  Its parts are kept apart, because a write-back changes one
// part and a collection another.
//
// Everything works on the rows of the warps that a port names, and stands still when none does.
//
// Order within a cycle: write-backs and collections release, then issue reserves, then heads
// change.  Several ports may name one warp; a port sees the row as the ports before it left it, and
// the last one is written.  kernel_start wins over everything.
//
// Illegal: a collection when none is outstanding, an issue without head or against a hazard, two
// new heads for one warp.

module scoreboard #(
  parameter int unsigned Warps = tandem_pkg::Warps
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0]                   bug_i,
`endif
  input  logic                         kernel_start_i,

  // New heads, from ibuffer
  input  logic                         nh0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] nh0_warp_i,
  input  logic [tandem_pkg::OpndW-1:0] nh0_opnd_i,
  input  logic                         nh1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] nh1_warp_i,
  input  logic [tandem_pkg::OpndW-1:0] nh1_opnd_i,
  input  logic                         nh2_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] nh2_warp_i,
  input  logic [tandem_pkg::OpndW-1:0] nh2_opnd_i,

  input  logic                         flush_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] flush_warp_i,

  // Issue of the head of an even and of an odd warp
  input  logic                         iss0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss0_warp_i,
  input  logic                         iss1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss1_warp_i,

  // Write-backs
  input  logic                         wb0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] wb0_warp_i,
  input  logic [4:0]                   wb0_reg_i,
  input  logic [1:0]                   wb0_size_i,
  input  logic                         wb0_pred_i,
  input  logic                         wb1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] wb1_warp_i,
  input  logic [4:0]                   wb1_reg_i,
  input  logic [1:0]                   wb1_size_i,
  input  logic                         wb1_pred_i,
  input  logic                         wb2_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] wb2_warp_i,
  input  logic [4:0]                   wb2_reg_i,
  input  logic [1:0]                   wb2_size_i,
  input  logic                         wb2_pred_i,
  input  logic                         wb3_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] wb3_warp_i,
  input  logic [4:0]                   wb3_reg_i,
  input  logic [1:0]                   wb3_size_i,
  input  logic                         wb3_pred_i,

  // Collections of operands
  input  logic                         col0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] col0_warp_i,
  input  logic                         col1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] col1_warp_i,
  input  logic                         col2_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] col2_warp_i,
  input  logic                         col3_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] col3_warp_i,

  output logic [Warps-1:0]             hazard_o
);
  localparam int unsigned SetW = tandem_pkg::SetW;
  localparam int unsigned CountW = 6;
  localparam int unsigned Rows = Warps + tandem_pkg::SpareRows;

  logic [SetW-1:0]   wpend_q [Rows]  /*verilator public_flat_rd*/;
  logic [SetW-1:0]   rpend_q [Rows]  /*verilator public_flat_rd*/;
  logic [CountW-1:0] uncol_q [Rows]  /*verilator public_flat_rd*/;
  logic [Warps-1:0]  hazard_q  /*verilator public_flat_rd*/;

  logic [SetW-1:0]   head_reads_q [Rows];
  logic [SetW-1:0]   head_writes_q [Rows];
  logic [Warps-1:0]  has_q;       // a head
  logic [Warps-1:0]  is_exit_q;   // which is an exit
  logic [Warps-1:0]  is_none_q;   // which uses no pipeline
  logic [Warps-1:0]  w_hit_q;     // it reads or writes what is to be written
  logic [Warps-1:0]  r_hit_q;     // it writes what is still to be read
  logic [Warps-1:0]  w_some_q;    // wpend is not empty
  logic [Warps-1:0]  u_some_q;    // uncol is not 0

  logic wb_any, col_any, iss_any, nh_any, any;
  assign wb_any  = wb0_valid_i | wb1_valid_i | wb2_valid_i | wb3_valid_i;
  assign col_any = col0_valid_i | col1_valid_i | col2_valid_i | col3_valid_i;
  assign iss_any = iss0_valid_i | iss1_valid_i;
  assign nh_any  = nh0_valid_i | nh1_valid_i | nh2_valid_i;
  assign any     = wb_any | col_any | iss_any | nh_any | flush_valid_i;

  // Write-backs: rows of wpend after each port; which warps are touched, and of these, whose head
  // still meets its row and whose row is not empty.
  logic [SetW-1:0]  w_row0, w_row1, w_row2, w_row3;
  logic [Warps-1:0] wb_warps, wb_hit, wb_some;
  always_comb begin
    logic [Warps-1:0] warp;
    logic [SetW-1:0]  free;
    warp     = '0;
    free     = '0;
    w_row0   = '0;
    w_row1   = '0;
    w_row2   = '0;
    w_row3   = '0;
    wb_warps = '0;
    wb_hit   = '0;
    wb_some  = '0;
    if (wb_any) begin
      if (wb0_valid_i) begin
        warp = Warps'(1) << wb0_warp_i;
        free = tandem_pkg::release_set(wb0_reg_i, wb0_size_i, wb0_pred_i);
        w_row0 = wpend_q[wb0_warp_i];
        w_row0 = w_row0 & ~free;
        wb_warps = warp;
        if ((w_row0 & (head_reads_q[wb0_warp_i] | head_writes_q[wb0_warp_i])) != '0)
          wb_hit = wb_hit | warp;
        if (w_row0 != '0) wb_some = wb_some | warp;
      end
      if (wb1_valid_i) begin
        warp = Warps'(1) << wb1_warp_i;
        free = tandem_pkg::release_set(wb1_reg_i, wb1_size_i, wb1_pred_i);
        w_row1 = wpend_q[wb1_warp_i];
        if (wb0_valid_i && wb0_warp_i == wb1_warp_i) w_row1 = w_row0;
        w_row1 = w_row1 & ~free;
        wb_warps = wb_warps | warp;
        wb_hit   = wb_hit & ~warp;
        wb_some  = wb_some & ~warp;
        if ((w_row1 & (head_reads_q[wb1_warp_i] | head_writes_q[wb1_warp_i])) != '0)
          wb_hit = wb_hit | warp;
        if (w_row1 != '0) wb_some = wb_some | warp;
      end
      if (wb2_valid_i) begin
        warp = Warps'(1) << wb2_warp_i;
        free = tandem_pkg::release_set(wb2_reg_i, wb2_size_i, wb2_pred_i);
        w_row2 = wpend_q[wb2_warp_i];
        if (wb0_valid_i && wb0_warp_i == wb2_warp_i) w_row2 = w_row0;
        if (wb1_valid_i && wb1_warp_i == wb2_warp_i) w_row2 = w_row1;
        w_row2 = w_row2 & ~free;
        wb_warps = wb_warps | warp;
        wb_hit   = wb_hit & ~warp;
        wb_some  = wb_some & ~warp;
        if ((w_row2 & (head_reads_q[wb2_warp_i] | head_writes_q[wb2_warp_i])) != '0)
          wb_hit = wb_hit | warp;
        if (w_row2 != '0) wb_some = wb_some | warp;
      end
      if (wb3_valid_i) begin
        warp = Warps'(1) << wb3_warp_i;
        free = tandem_pkg::release_set(wb3_reg_i, wb3_size_i, wb3_pred_i);
`ifdef TANDEM_BUGS
        if (bug_i == 8'd26 && wb0_valid_i && wb0_warp_i == wb3_warp_i) free = '0;
        if (bug_i == 8'd27 && wb3_size_i == 2'd3)
          free = tandem_pkg::release_set(wb3_reg_i, 2'd2, wb3_pred_i);
`endif
        w_row3 = wpend_q[wb3_warp_i];
        if (wb0_valid_i && wb0_warp_i == wb3_warp_i) w_row3 = w_row0;
        if (wb1_valid_i && wb1_warp_i == wb3_warp_i) w_row3 = w_row1;
        if (wb2_valid_i && wb2_warp_i == wb3_warp_i) w_row3 = w_row2;
        w_row3 = w_row3 & ~free;
        wb_warps = wb_warps | warp;
        wb_hit   = wb_hit & ~warp;
        wb_some  = wb_some & ~warp;
        if ((w_row3 & (head_reads_q[wb3_warp_i] | head_writes_q[wb3_warp_i])) != '0)
          wb_hit = wb_hit | warp;
        if (w_row3 != '0) wb_some = wb_some | warp;
      end
    end
  end

  // Collections: counts after each port, and the warps whose last one it is: nothing of theirs is
  // still to be read.  A later port of the same warp decides.
  logic [CountW-1:0] u_row0, u_row1, u_row2, u_row3;
  logic [Warps-1:0]  col_warps, collected;
  always_comb begin
    logic [Warps-1:0] warp;
    warp      = '0;
    u_row0    = '0;
    u_row1    = '0;
    u_row2    = '0;
    u_row3    = '0;
    col_warps = '0;
    collected = '0;
    if (col_any) begin
      if (col0_valid_i) begin
        warp      = Warps'(1) << col0_warp_i;
        col_warps = warp;
        u_row0 = uncol_q[col0_warp_i];
        u_row0    = u_row0 - CountW'(1);
        collected = (u_row0 == '0) ? collected | warp : collected & ~warp;
      end
      if (col1_valid_i) begin
        warp      = Warps'(1) << col1_warp_i;
        col_warps = col_warps | warp;
        u_row1 = uncol_q[col1_warp_i];
        if (col0_valid_i && col0_warp_i == col1_warp_i) u_row1 = u_row0;
        u_row1    = u_row1 - CountW'(1);
`ifdef TANDEM_BUGS
        if (bug_i == 8'd28 && col0_valid_i && col0_warp_i == col1_warp_i) u_row1 = u_row0;
`endif
        collected = (u_row1 == '0) ? collected | warp : collected & ~warp;
      end
      if (col2_valid_i) begin
        warp      = Warps'(1) << col2_warp_i;
        col_warps = col_warps | warp;
        u_row2 = uncol_q[col2_warp_i];
        if (col0_valid_i && col0_warp_i == col2_warp_i) u_row2 = u_row0;
        if (col1_valid_i && col1_warp_i == col2_warp_i) u_row2 = u_row1;
        u_row2    = u_row2 - CountW'(1);
        collected = (u_row2 == '0) ? collected | warp : collected & ~warp;
      end
      if (col3_valid_i) begin
        warp      = Warps'(1) << col3_warp_i;
        col_warps = col_warps | warp;
        u_row3 = uncol_q[col3_warp_i];
        if (col0_valid_i && col0_warp_i == col3_warp_i) u_row3 = u_row0;
        if (col1_valid_i && col1_warp_i == col3_warp_i) u_row3 = u_row1;
        if (col2_valid_i && col2_warp_i == col3_warp_i) u_row3 = u_row2;
        u_row3    = u_row3 - CountW'(1);
        collected = (u_row3 == '0) ? collected | warp : collected & ~warp;
      end
    end
  end

  // Issue: rows after the reservation.
  logic [SetW-1:0]   w_iss0, w_iss1, r_iss0, r_iss1;
  logic [CountW-1:0] u_iss0, u_iss1;
  logic [Warps-1:0]  iss_warps, iss_some, iss_uncol;
  always_comb begin
    logic [Warps-1:0] warp;
    warp      = '0;
    w_iss0    = '0;
    r_iss0    = '0;
    u_iss0    = '0;
    w_iss1    = '0;
    r_iss1    = '0;
    u_iss1    = '0;
    iss_warps = '0;
    iss_some  = '0;
    iss_uncol = '0;
    if (iss_any) begin
      if (iss0_valid_i) begin
        warp   = Warps'(1) << iss0_warp_i;
        w_iss0 = wpend_q[iss0_warp_i];
        if ((wb_warps & warp) != '0) begin
          if (wb0_valid_i && wb0_warp_i == iss0_warp_i) w_iss0 = w_row0;
          if (wb1_valid_i && wb1_warp_i == iss0_warp_i) w_iss0 = w_row1;
          if (wb2_valid_i && wb2_warp_i == iss0_warp_i) w_iss0 = w_row2;
          if (wb3_valid_i && wb3_warp_i == iss0_warp_i) w_iss0 = w_row3;
        end
        w_iss0 = w_iss0 | head_writes_q[iss0_warp_i];
        u_iss0 = uncol_q[iss0_warp_i];
        if ((col_warps & warp) != '0) begin
          if (col0_valid_i && col0_warp_i == iss0_warp_i) u_iss0 = u_row0;
          if (col1_valid_i && col1_warp_i == iss0_warp_i) u_iss0 = u_row1;
          if (col2_valid_i && col2_warp_i == iss0_warp_i) u_iss0 = u_row2;
          if (col3_valid_i && col3_warp_i == iss0_warp_i) u_iss0 = u_row3;
        end
        r_iss0 = (u_iss0 == '0) ? '0 : rpend_q[iss0_warp_i];
        iss_warps = iss_warps | warp;
        if (w_iss0 != '0) iss_some = iss_some | warp;
        if ((is_none_q & warp) == '0) begin
          r_iss0    = r_iss0 | head_reads_q[iss0_warp_i];
          u_iss0    = u_iss0 + CountW'(1);
          iss_uncol = iss_uncol | warp;
        end
      end
      if (iss1_valid_i) begin
        warp   = Warps'(1) << iss1_warp_i;
        w_iss1 = wpend_q[iss1_warp_i];
        if ((wb_warps & warp) != '0) begin
          if (wb0_valid_i && wb0_warp_i == iss1_warp_i) w_iss1 = w_row0;
          if (wb1_valid_i && wb1_warp_i == iss1_warp_i) w_iss1 = w_row1;
          if (wb2_valid_i && wb2_warp_i == iss1_warp_i) w_iss1 = w_row2;
          if (wb3_valid_i && wb3_warp_i == iss1_warp_i) w_iss1 = w_row3;
        end
        w_iss1 = w_iss1 | head_writes_q[iss1_warp_i];
        u_iss1 = uncol_q[iss1_warp_i];
        if ((col_warps & warp) != '0) begin
          if (col0_valid_i && col0_warp_i == iss1_warp_i) u_iss1 = u_row0;
          if (col1_valid_i && col1_warp_i == iss1_warp_i) u_iss1 = u_row1;
          if (col2_valid_i && col2_warp_i == iss1_warp_i) u_iss1 = u_row2;
          if (col3_valid_i && col3_warp_i == iss1_warp_i) u_iss1 = u_row3;
        end
        r_iss1 = (u_iss1 == '0) ? '0 : rpend_q[iss1_warp_i];
        iss_warps = iss_warps | warp;
        if (w_iss1 != '0) iss_some = iss_some | warp;
        if ((is_none_q & warp) == '0) begin
          r_iss1    = r_iss1 | head_reads_q[iss1_warp_i];
          u_iss1    = u_iss1 + CountW'(1);
          iss_uncol = iss_uncol | warp;
        end
      end
    end
  end

  // New heads: their sets, against the rows as they will be.
  tandem_pkg::opnd_t opnd0, opnd1, opnd2;
  logic              unused_opnd;  // a predicate is read whether negated or not
  assign opnd0 = nh0_opnd_i;
  assign opnd1 = nh1_opnd_i;
  assign opnd2 = nh2_opnd_i;
  assign unused_opnd = 1'b0 & ^{opnd0.guard_not, opnd1.guard_not, opnd2.guard_not};

  logic [SetW-1:0]  reads0, reads1, reads2, writes0, writes1, writes2;
  logic [Warps-1:0] nh_warps, nh_exit, nh_none, nh_w_hit, nh_r_hit;
  always_comb begin
    logic [Warps-1:0] warp;
    logic [SetW-1:0]  w_row, r_row;
    warp     = '0;
    w_row    = '0;
    r_row    = '0;
    reads0   = '0;
    writes0  = '0;
    reads1   = '0;
    writes1  = '0;
    reads2   = '0;
    writes2  = '0;
    nh_warps = '0;
    nh_exit  = '0;
    nh_none  = '0;
    nh_w_hit = '0;
    nh_r_hit = '0;
    if (nh_any) begin
      if (nh0_valid_i) begin
        warp    = Warps'(1) << nh0_warp_i;
        reads0  = tandem_pkg::read_set(opnd0.srcs,
                                       {opnd0.dec.s3_n, opnd0.dec.s2_n, opnd0.dec.s1_n},
                                       {opnd0.dec.p3, opnd0.dec.p2}, opnd0.guard);
        writes0 = tandem_pkg::write_set(opnd0.dst, opnd0.dec.d_n, opnd0.dec.d_p);
        w_row   = wpend_q[nh0_warp_i];
        if ((wb_warps & warp) != '0) begin
          if (wb0_valid_i && wb0_warp_i == nh0_warp_i) w_row = w_row0;
          if (wb1_valid_i && wb1_warp_i == nh0_warp_i) w_row = w_row1;
          if (wb2_valid_i && wb2_warp_i == nh0_warp_i) w_row = w_row2;
          if (wb3_valid_i && wb3_warp_i == nh0_warp_i) w_row = w_row3;
        end
        r_row = ((collected & warp) != '0) ? '0 : rpend_q[nh0_warp_i];
        if ((iss_warps & warp) != '0) begin
          if (iss0_valid_i && iss0_warp_i == nh0_warp_i) begin
            w_row = w_iss0;
            r_row = r_iss0;
          end
          if (iss1_valid_i && iss1_warp_i == nh0_warp_i) begin
            w_row = w_iss1;
            r_row = r_iss1;
          end
        end
        nh_warps = nh_warps | warp;
        if (opnd0.dec.ctl == tandem_pkg::CtlExit)   nh_exit  = nh_exit | warp;
        if (opnd0.dec.pipe == tandem_pkg::PipeNone) nh_none  = nh_none | warp;
        if ((w_row & (reads0 | writes0)) != '0)     nh_w_hit = nh_w_hit | warp;
        if ((r_row & writes0) != '0)                nh_r_hit = nh_r_hit | warp;
`ifdef TANDEM_BUGS
        if (bug_i == 8'd22 && (w_row & writes0) == '0) nh_w_hit = nh_w_hit & ~warp;
        if (bug_i == 8'd25 && w_row[31:0] == '0) nh_w_hit = nh_w_hit & ~warp;
`endif
      end
      if (nh1_valid_i) begin
        warp    = Warps'(1) << nh1_warp_i;
        reads1  = tandem_pkg::read_set(opnd1.srcs,
                                       {opnd1.dec.s3_n, opnd1.dec.s2_n, opnd1.dec.s1_n},
                                       {opnd1.dec.p3, opnd1.dec.p2}, opnd1.guard);
        writes1 = tandem_pkg::write_set(opnd1.dst, opnd1.dec.d_n, opnd1.dec.d_p);
        w_row   = wpend_q[nh1_warp_i];
        if ((wb_warps & warp) != '0) begin
          if (wb0_valid_i && wb0_warp_i == nh1_warp_i) w_row = w_row0;
          if (wb1_valid_i && wb1_warp_i == nh1_warp_i) w_row = w_row1;
          if (wb2_valid_i && wb2_warp_i == nh1_warp_i) w_row = w_row2;
          if (wb3_valid_i && wb3_warp_i == nh1_warp_i) w_row = w_row3;
        end
        r_row = ((collected & warp) != '0) ? '0 : rpend_q[nh1_warp_i];
        if ((iss_warps & warp) != '0) begin
          if (iss0_valid_i && iss0_warp_i == nh1_warp_i) begin
            w_row = w_iss0;
            r_row = r_iss0;
          end
          if (iss1_valid_i && iss1_warp_i == nh1_warp_i) begin
            w_row = w_iss1;
            r_row = r_iss1;
          end
        end
        nh_warps = nh_warps | warp;
        if (opnd1.dec.ctl == tandem_pkg::CtlExit)   nh_exit  = nh_exit | warp;
        if (opnd1.dec.pipe == tandem_pkg::PipeNone) nh_none  = nh_none | warp;
        if ((w_row & (reads1 | writes1)) != '0)     nh_w_hit = nh_w_hit | warp;
        if ((r_row & writes1) != '0)                nh_r_hit = nh_r_hit | warp;
`ifdef TANDEM_BUGS
        if (bug_i == 8'd23 && (w_row & reads1) == '0) nh_w_hit = nh_w_hit & ~warp;
        if (bug_i == 8'd25 && w_row[31:0] == '0) nh_w_hit = nh_w_hit & ~warp;
`endif
      end
      if (nh2_valid_i) begin
        warp    = Warps'(1) << nh2_warp_i;
        reads2  = tandem_pkg::read_set(opnd2.srcs,
                                       {opnd2.dec.s3_n, opnd2.dec.s2_n, opnd2.dec.s1_n},
                                       {opnd2.dec.p3, opnd2.dec.p2}, opnd2.guard);
        writes2 = tandem_pkg::write_set(opnd2.dst, opnd2.dec.d_n, opnd2.dec.d_p);
        w_row   = wpend_q[nh2_warp_i];
        if ((wb_warps & warp) != '0) begin
          if (wb0_valid_i && wb0_warp_i == nh2_warp_i) w_row = w_row0;
          if (wb1_valid_i && wb1_warp_i == nh2_warp_i) w_row = w_row1;
          if (wb2_valid_i && wb2_warp_i == nh2_warp_i) w_row = w_row2;
          if (wb3_valid_i && wb3_warp_i == nh2_warp_i) w_row = w_row3;
        end
        r_row = ((collected & warp) != '0) ? '0 : rpend_q[nh2_warp_i];
        if ((iss_warps & warp) != '0) begin
          if (iss0_valid_i && iss0_warp_i == nh2_warp_i) begin
            w_row = w_iss0;
            r_row = r_iss0;
          end
          if (iss1_valid_i && iss1_warp_i == nh2_warp_i) begin
            w_row = w_iss1;
            r_row = r_iss1;
          end
        end
`ifdef TANDEM_BUGS
        if (bug_i == 8'd24) r_row = '0;
`endif
        nh_warps = nh_warps | warp;
        if (opnd2.dec.ctl == tandem_pkg::CtlExit)   nh_exit  = nh_exit | warp;
        if (opnd2.dec.pipe == tandem_pkg::PipeNone) nh_none  = nh_none | warp;
        if ((w_row & (reads2 | writes2)) != '0)     nh_w_hit = nh_w_hit | warp;
        if ((r_row & writes2) != '0)                nh_r_hit = nh_r_hit | warp;
      end
    end
  end

  // Parts of the hazard.  Of a warp whose head changes, w_hit and r_hit are the new head's.
  logic [Warps-1:0] has_d, is_exit_d, is_none_d, w_hit_d, r_hit_d, w_some_d, u_some_d, hazard_d;
  always_comb begin
    has_d     = has_q;
    is_exit_d = is_exit_q;
    is_none_d = is_none_q;
    w_hit_d   = w_hit_q;
    r_hit_d   = r_hit_q;
    w_some_d  = w_some_q;
    u_some_d  = u_some_q;
    hazard_d  = hazard_q;
    if (any) begin
      if (wb_any) begin
        w_hit_d  = (w_hit_d & ~wb_warps) | wb_hit;
        w_some_d = (w_some_d & ~wb_warps) | wb_some;
      end
      if (col_any) begin
        r_hit_d  = r_hit_d & ~collected;
        u_some_d = u_some_d & ~collected;
      end
      if (iss_any) begin
        has_d    = has_d & ~iss_warps;
        w_some_d = w_some_d | iss_some;
        u_some_d = u_some_d | iss_uncol;
      end
      if (flush_valid_i) has_d = has_d & ~(Warps'(1) << flush_warp_i);
      if (nh_any) begin
        has_d     = has_d | nh_warps;
        is_exit_d = (is_exit_d & ~nh_warps) | nh_exit;
        is_none_d = (is_none_d & ~nh_warps) | nh_none;
        w_hit_d   = (w_hit_d & ~nh_warps) | nh_w_hit;
        r_hit_d   = (r_hit_d & ~nh_warps) | nh_r_hit;
      end
      hazard_d = has_d & (w_hit_d | r_hit_d | (is_exit_d & (w_some_d | u_some_d)));
`ifdef TANDEM_BUGS
      if (bug_i == 8'd29) hazard_d = has_d & (w_hit_d | r_hit_d | (is_exit_d & w_some_d));
`endif
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hazard_q  <= '0;
      has_q     <= '0;
      is_exit_q <= '0;
      is_none_q <= '0;
      w_hit_q   <= '0;
      r_hit_q   <= '0;
      w_some_q  <= '0;
      u_some_q  <= '0;
    end else if (kernel_start_i) begin
      hazard_q  <= '0;
      has_q     <= '0;
      is_exit_q <= '0;
      is_none_q <= '0;
      w_hit_q   <= '0;
      r_hit_q   <= '0;
      w_some_q  <= '0;
      u_some_q  <= '0;
    end else if (any) begin
      hazard_q  <= hazard_d;
      has_q     <= has_d;
      is_exit_q <= is_exit_d;
      is_none_q <= is_none_d;
      w_hit_q   <= w_hit_d;
      r_hit_q   <= r_hit_d;
      w_some_q  <= w_some_d;
      u_some_q  <= u_some_d;
    end
  end

  // Rows: the last port of a warp holds all its changes.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        wpend_q[w] <= '0;
        rpend_q[w] <= '0;
        uncol_q[w] <= '0;
      end
    end else if (kernel_start_i) begin
      for (int w = 0; w < Warps; w++) begin
        wpend_q[w] <= '0;
        rpend_q[w] <= '0;
        uncol_q[w] <= '0;
      end
    end else begin
      if (wb_any) begin
        if (wb0_valid_i) wpend_q[wb0_warp_i] <= w_row0;
        if (wb1_valid_i) wpend_q[wb1_warp_i] <= w_row1;
        if (wb2_valid_i) wpend_q[wb2_warp_i] <= w_row2;
        if (wb3_valid_i) wpend_q[wb3_warp_i] <= w_row3;
      end
      if (col_any) begin
        if (col0_valid_i) begin
          uncol_q[col0_warp_i] <= u_row0;
          if (u_row0 == '0) rpend_q[col0_warp_i] <= '0;
        end
        if (col1_valid_i) begin
          uncol_q[col1_warp_i] <= u_row1;
          if (u_row1 == '0) rpend_q[col1_warp_i] <= '0;
        end
        if (col2_valid_i) begin
          uncol_q[col2_warp_i] <= u_row2;
          if (u_row2 == '0) rpend_q[col2_warp_i] <= '0;
        end
        if (col3_valid_i) begin
          uncol_q[col3_warp_i] <= u_row3;
          if (u_row3 == '0) rpend_q[col3_warp_i] <= '0;
        end
      end
      if (iss0_valid_i) begin
        wpend_q[iss0_warp_i] <= w_iss0;
        rpend_q[iss0_warp_i] <= r_iss0;
        uncol_q[iss0_warp_i] <= u_iss0;
      end
      if (iss1_valid_i) begin
        wpend_q[iss1_warp_i] <= w_iss1;
        rpend_q[iss1_warp_i] <= r_iss1;
        uncol_q[iss1_warp_i] <= u_iss1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (nh_any) begin
      if (nh0_valid_i) begin
        head_reads_q[nh0_warp_i]  <= reads0;
        head_writes_q[nh0_warp_i] <= writes0;
      end
      if (nh1_valid_i) begin
        head_reads_q[nh1_warp_i]  <= reads1;
        head_writes_q[nh1_warp_i] <= writes1;
      end
      if (nh2_valid_i) begin
        head_reads_q[nh2_warp_i]  <= reads2;
        head_writes_q[nh2_warp_i] <= writes2;
      end
    end
  end

  assign hazard_o = hazard_q;
`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert (!col0_valid_i || u_row0 != '1);
      assert (!col1_valid_i || u_row1 != '1);
      assert (!col2_valid_i || u_row2 != '1);
      assert (!col3_valid_i || u_row3 != '1);
      assert ((iss_warps & (~has_q | hazard_q)) == '0);
      assert (!nh0_valid_i || !nh1_valid_i || nh0_warp_i != nh1_warp_i);
      assert (!nh0_valid_i || !nh2_valid_i || nh0_warp_i != nh2_warp_i);
      assert (!nh1_valid_i || !nh2_valid_i || nh1_warp_i != nh2_warp_i);
    end
  end
`endif
endmodule
