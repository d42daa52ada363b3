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

  function automatic logic [SetW-1:0] writes(input logic [4:0] dst, input logic [1:0] d_n,
                                             input logic d_p);
    writes = {16'd0, tandem_pkg::span(dst, d_n)};
    if (d_p) writes[SetW-1:32] = tandem_pkg::pred(dst[3:0]);
  endfunction

  // srcs: {src3, src2, src1}; srcs_n, srcs_p: their size codes, which of src 3 and 2 are predicates.
  function automatic logic [SetW-1:0] reads(input logic [14:0] srcs, input logic [5:0] srcs_n,
                                            input logic [1:0] srcs_p, input logic [3:0] guard);
    reads = {tandem_pkg::pred(guard),
             tandem_pkg::span(srcs[4:0], srcs_n[1:0]) |
             tandem_pkg::span(srcs[9:5], srcs_n[3:2]) |
             tandem_pkg::span(srcs[14:10], srcs_n[5:4])};
    if (srcs_p[0]) reads[SetW-1:32] = reads[SetW-1:32] | tandem_pkg::pred(srcs[8:5]);
    if (srcs_p[1]) reads[SetW-1:32] = reads[SetW-1:32] | tandem_pkg::pred(srcs[13:10]);
  endfunction

  // A row as the last of four ports left it: those that hit it; as stored if none did.
  function automatic logic [SetW-1:0] latest(
      input logic [SetW-1:0] stored, input logic [3:0] hit, input logic [SetW-1:0] row0,
      input logic [SetW-1:0] row1, input logic [SetW-1:0] row2, input logic [SetW-1:0] row3);
    latest = stored;
    if (hit[0]) latest = row0;
    if (hit[1]) latest = row1;
    if (hit[2]) latest = row2;
    if (hit[3]) latest = row3;
  endfunction

  function automatic logic [CountW-1:0] latest_count(
      input logic [CountW-1:0] stored, input logic [3:0] hit, input logic [CountW-1:0] row0,
      input logic [CountW-1:0] row1, input logic [CountW-1:0] row2, input logic [CountW-1:0] row3);
    latest_count = stored;
    if (hit[0]) latest_count = row0;
    if (hit[1]) latest_count = row1;
    if (hit[2]) latest_count = row2;
    if (hit[3]) latest_count = row3;
  endfunction

  // {dec, guard, src3, src2, src1, dst}
  typedef struct packed {
    tandem_pkg::dec_t dec;
    logic             guard_not;
    logic [3:0]       guard;
    logic [14:0]      srcs;
    logic [4:0]       dst;
  } opnd_t;

  logic [SetW-1:0]   wpend_q [Warps]  /*verilator public_flat_rd*/;
  logic [SetW-1:0]   rpend_q [Warps]  /*verilator public_flat_rd*/;
  logic [CountW-1:0] uncol_q [Warps]  /*verilator public_flat_rd*/;
  logic [Warps-1:0]  hazard_q  /*verilator public_flat_rd*/;

  logic [SetW-1:0]   head_reads_q [Warps];
  logic [SetW-1:0]   head_writes_q [Warps];
  logic [Warps-1:0]  has_q;       // a head
  logic [Warps-1:0]  is_exit_q;   // which is an exit
  logic [Warps-1:0]  is_none_q;   // which uses no pipeline
  logic [Warps-1:0]  w_hit_q;     // it reads or writes what is to be written
  logic [Warps-1:0]  r_hit_q;     // it writes what is still to be read
  logic [Warps-1:0]  w_some_q;    // wpend is not empty
  logic [Warps-1:0]  u_some_q;    // uncol is not 0

  // Ports as vectors of warps.
  logic [Warps-1:0] wb0, wb1, wb2, wb3, col0, col1, col2, col3;
  logic [Warps-1:0] iss0, iss1, flush, nh0, nh1, nh2;
  always_comb begin
    wb0   = '0;
    wb1   = '0;
    wb2   = '0;
    wb3   = '0;
    col0  = '0;
    col1  = '0;
    col2  = '0;
    col3  = '0;
    iss0  = '0;
    iss1  = '0;
    flush = '0;
    nh0   = '0;
    nh1   = '0;
    nh2   = '0;
    if (wb0_valid_i)   wb0   = Warps'(1) << wb0_warp_i;
    if (wb1_valid_i)   wb1   = Warps'(1) << wb1_warp_i;
    if (wb2_valid_i)   wb2   = Warps'(1) << wb2_warp_i;
    if (wb3_valid_i)   wb3   = Warps'(1) << wb3_warp_i;
    if (col0_valid_i)  col0  = Warps'(1) << col0_warp_i;
    if (col1_valid_i)  col1  = Warps'(1) << col1_warp_i;
    if (col2_valid_i)  col2  = Warps'(1) << col2_warp_i;
    if (col3_valid_i)  col3  = Warps'(1) << col3_warp_i;
    if (iss0_valid_i)  iss0  = Warps'(1) << iss0_warp_i;
    if (iss1_valid_i)  iss1  = Warps'(1) << iss1_warp_i;
    if (flush_valid_i) flush = Warps'(1) << flush_warp_i;
    if (nh0_valid_i)   nh0   = Warps'(1) << nh0_warp_i;
    if (nh1_valid_i)   nh1   = Warps'(1) << nh1_warp_i;
    if (nh2_valid_i)   nh2   = Warps'(1) << nh2_warp_i;
  end

  // Which ports name the same warp.
  logic [3:0] wb_iss0, wb_iss1, col_iss0, col_iss1, wb_nh0, wb_nh1, wb_nh2;
  always_comb begin
    wb_iss0  = {|(wb3 & iss0), |(wb2 & iss0), |(wb1 & iss0), |(wb0 & iss0)};
    wb_iss1  = {|(wb3 & iss1), |(wb2 & iss1), |(wb1 & iss1), |(wb0 & iss1)};
    col_iss0 = {|(col3 & iss0), |(col2 & iss0), |(col1 & iss0), |(col0 & iss0)};
    col_iss1 = {|(col3 & iss1), |(col2 & iss1), |(col1 & iss1), |(col0 & iss1)};
    wb_nh0   = {|(wb3 & nh0), |(wb2 & nh0), |(wb1 & nh0), |(wb0 & nh0)};
    wb_nh1   = {|(wb3 & nh1), |(wb2 & nh1), |(wb1 & nh1), |(wb0 & nh1)};
    wb_nh2   = {|(wb3 & nh2), |(wb2 & nh2), |(wb1 & nh2), |(wb0 & nh2)};
  end

  // Write-backs: rows of wpend after each port.
  logic [SetW-1:0] w_row0, w_row1, w_row2, w_row3;
  logic [SetW-1:0] free0, free1, free2, free3;
  always_comb begin
    free0 = tandem_pkg::release_set(wb0_reg_i, wb0_size_i, wb0_pred_i);
    free1 = tandem_pkg::release_set(wb1_reg_i, wb1_size_i, wb1_pred_i);
    free2 = tandem_pkg::release_set(wb2_reg_i, wb2_size_i, wb2_pred_i);
    free3 = tandem_pkg::release_set(wb3_reg_i, wb3_size_i, wb3_pred_i);
`ifdef TANDEM_BUGS
    if (bug_i == 8'd26 && wb0_valid_i && wb0_warp_i == wb3_warp_i) free3 = '0;
    if (bug_i == 8'd27 && wb3_size_i == 2'd3)
      free3 = tandem_pkg::release_set(wb3_reg_i, 2'd2, wb3_pred_i);
`endif
  end
  always_comb begin
    w_row0 = '0;
    w_row1 = '0;
    w_row2 = '0;
    w_row3 = '0;
    if (wb0_valid_i) w_row0 = wpend_q[wb0_warp_i] & ~free0;
    if (wb1_valid_i) begin
      w_row1 = wpend_q[wb1_warp_i];
      if ((wb0 & wb1) != '0) w_row1 = w_row0;
      w_row1 = w_row1 & ~free1;
    end
    if (wb2_valid_i) begin
      w_row2 = wpend_q[wb2_warp_i];
      if ((wb0 & wb2) != '0) w_row2 = w_row0;
      if ((wb1 & wb2) != '0) w_row2 = w_row1;
      w_row2 = w_row2 & ~free2;
    end
    if (wb3_valid_i) begin
      w_row3 = wpend_q[wb3_warp_i];
      if ((wb0 & wb3) != '0) w_row3 = w_row0;
      if ((wb1 & wb3) != '0) w_row3 = w_row1;
      if ((wb2 & wb3) != '0) w_row3 = w_row2;
      w_row3 = w_row3 & ~free3;
    end
  end

  // Collections: counts after each port.
  logic [CountW-1:0] u_row0, u_row1, u_row2, u_row3;
  always_comb begin
    u_row0 = '0;
    u_row1 = '0;
    u_row2 = '0;
    u_row3 = '0;
    if (col0_valid_i) u_row0 = uncol_q[col0_warp_i] - CountW'(1);
    if (col1_valid_i) begin
      u_row1 = uncol_q[col1_warp_i];
      if ((col0 & col1) != '0) u_row1 = u_row0;
      u_row1 = u_row1 - CountW'(1);
`ifdef TANDEM_BUGS
      if (bug_i == 8'd28 && (col0 & col1) != '0) u_row1 = u_row0;
`endif
    end
    if (col2_valid_i) begin
      u_row2 = uncol_q[col2_warp_i];
      if ((col0 & col2) != '0) u_row2 = u_row0;
      if ((col1 & col2) != '0) u_row2 = u_row1;
      u_row2 = u_row2 - CountW'(1);
    end
    if (col3_valid_i) begin
      u_row3 = uncol_q[col3_warp_i];
      if ((col0 & col3) != '0) u_row3 = u_row0;
      if ((col1 & col3) != '0) u_row3 = u_row1;
      if ((col2 & col3) != '0) u_row3 = u_row2;
      u_row3 = u_row3 - CountW'(1);
    end
  end

  // Warps whose last collection this is: nothing of theirs is still to be read.  A later port of
  // the same warp decides.
  logic [Warps-1:0] collected;
  always_comb begin
    collected = '0;
    if (u_row0 == '0) collected = col0;
    collected = collected & ~col1;
    if (u_row1 == '0) collected = collected | col1;
    collected = collected & ~col2;
    if (u_row2 == '0) collected = collected | col2;
    collected = collected & ~col3;
    if (u_row3 == '0) collected = collected | col3;
  end

  // Issue: rows after the reservation.
  logic [SetW-1:0]   w_iss0, w_iss1, r_iss0, r_iss1;
  logic [CountW-1:0] u_iss0, u_iss1;
  logic              pipe0, pipe1;
  always_comb begin
    w_iss0 = '0;
    r_iss0 = '0;
    u_iss0 = '0;
    pipe0  = 1'b0;
    if (iss0_valid_i) begin
      w_iss0 = latest(wpend_q[iss0_warp_i], wb_iss0, w_row0, w_row1, w_row2, w_row3) |
               head_writes_q[iss0_warp_i];
      u_iss0 = latest_count(uncol_q[iss0_warp_i], col_iss0, u_row0, u_row1, u_row2, u_row3);
      r_iss0 = (u_iss0 == '0) ? '0 : rpend_q[iss0_warp_i];
      pipe0  = (iss0 & is_none_q) == '0;
      if (pipe0) begin
        r_iss0 = r_iss0 | head_reads_q[iss0_warp_i];
        u_iss0 = u_iss0 + CountW'(1);
      end
    end
  end
  always_comb begin
    w_iss1 = '0;
    r_iss1 = '0;
    u_iss1 = '0;
    pipe1  = 1'b0;
    if (iss1_valid_i) begin
      w_iss1 = latest(wpend_q[iss1_warp_i], wb_iss1, w_row0, w_row1, w_row2, w_row3) |
               head_writes_q[iss1_warp_i];
      u_iss1 = latest_count(uncol_q[iss1_warp_i], col_iss1, u_row0, u_row1, u_row2, u_row3);
      r_iss1 = (u_iss1 == '0) ? '0 : rpend_q[iss1_warp_i];
      pipe1  = (iss1 & is_none_q) == '0;
      if (pipe1) begin
        r_iss1 = r_iss1 | head_reads_q[iss1_warp_i];
        u_iss1 = u_iss1 + CountW'(1);
      end
    end
  end

  opnd_t opnd0, opnd1, opnd2;
  assign opnd0 = nh0_opnd_i;
  assign opnd1 = nh1_opnd_i;
  assign opnd2 = nh2_opnd_i;

  logic unused_opnd;  // a source is read whether negated or not
  assign unused_opnd = ^{opnd0.guard_not, opnd1.guard_not, opnd2.guard_not};

  // New heads: their sets, against the rows as they will be.
  logic [SetW-1:0] reads0, reads1, reads2, writes0, writes1, writes2;
  logic [SetW-1:0] w_nh0, w_nh1, w_nh2, r_nh0, r_nh1, r_nh2;
  always_comb begin
    reads0  = '0;
    writes0 = '0;
    w_nh0   = '0;
    r_nh0   = '0;
    if (nh0_valid_i) begin
      reads0  = reads(opnd0.srcs, {opnd0.dec.s3_n, opnd0.dec.s2_n, opnd0.dec.s1_n},
                       {opnd0.dec.p3, opnd0.dec.p2}, opnd0.guard);
      writes0 = writes(opnd0.dst, opnd0.dec.d_n, opnd0.dec.d_p);
      w_nh0 = latest(wpend_q[nh0_warp_i], wb_nh0, w_row0, w_row1, w_row2, w_row3);
      if ((iss0 & nh0) != '0) w_nh0 = w_iss0;
      if ((iss1 & nh0) != '0) w_nh0 = w_iss1;
      r_nh0 = rpend_q[nh0_warp_i];
      if ((collected & nh0) != '0) r_nh0 = '0;
      if ((iss0 & nh0) != '0)      r_nh0 = r_iss0;
      if ((iss1 & nh0) != '0)      r_nh0 = r_iss1;
    end
  end
  always_comb begin
    reads1  = '0;
    writes1 = '0;
    w_nh1   = '0;
    r_nh1   = '0;
    if (nh1_valid_i) begin
      reads1  = reads(opnd1.srcs, {opnd1.dec.s3_n, opnd1.dec.s2_n, opnd1.dec.s1_n},
                       {opnd1.dec.p3, opnd1.dec.p2}, opnd1.guard);
      writes1 = writes(opnd1.dst, opnd1.dec.d_n, opnd1.dec.d_p);
      w_nh1 = latest(wpend_q[nh1_warp_i], wb_nh1, w_row0, w_row1, w_row2, w_row3);
      if ((iss0 & nh1) != '0) w_nh1 = w_iss0;
      if ((iss1 & nh1) != '0) w_nh1 = w_iss1;
      r_nh1 = rpend_q[nh1_warp_i];
      if ((collected & nh1) != '0) r_nh1 = '0;
      if ((iss0 & nh1) != '0)      r_nh1 = r_iss0;
      if ((iss1 & nh1) != '0)      r_nh1 = r_iss1;
    end
  end
  always_comb begin
    reads2  = '0;
    writes2 = '0;
    w_nh2   = '0;
    r_nh2   = '0;
    if (nh2_valid_i) begin
      reads2  = reads(opnd2.srcs, {opnd2.dec.s3_n, opnd2.dec.s2_n, opnd2.dec.s1_n},
                       {opnd2.dec.p3, opnd2.dec.p2}, opnd2.guard);
      writes2 = writes(opnd2.dst, opnd2.dec.d_n, opnd2.dec.d_p);
      w_nh2 = latest(wpend_q[nh2_warp_i], wb_nh2, w_row0, w_row1, w_row2, w_row3);
      if ((iss0 & nh2) != '0) w_nh2 = w_iss0;
      if ((iss1 & nh2) != '0) w_nh2 = w_iss1;
      r_nh2 = rpend_q[nh2_warp_i];
      if ((collected & nh2) != '0) r_nh2 = '0;
      if ((iss0 & nh2) != '0)      r_nh2 = r_iss0;
      if ((iss1 & nh2) != '0)      r_nh2 = r_iss1;
    end
  end

  // Parts of the hazard, in the order of the ports.  Of a warp whose head changes, w_hit and r_hit
  // are the new head's.
  logic [Warps-1:0] has_d, is_exit_d, is_none_d, w_hit_d, r_hit_d, w_some_d, u_some_d;
  always_comb begin
    w_hit_d  = w_hit_q & ~(wb0 | wb1 | wb2 | wb3 | nh0 | nh1 | nh2);
    w_some_d = w_some_q & ~(wb0 | wb1 | wb2 | wb3);
    if ((w_row0 & (head_reads_q[wb0_warp_i] | head_writes_q[wb0_warp_i])) != '0)
      w_hit_d = w_hit_d | wb0;
    if (w_row0 != '0) w_some_d = w_some_d | wb0;
    if (wb1_valid_i) begin
      w_hit_d  = w_hit_d & ~wb1;
      w_some_d = w_some_d & ~wb1;
      if ((w_row1 & (head_reads_q[wb1_warp_i] | head_writes_q[wb1_warp_i])) != '0)
        w_hit_d = w_hit_d | wb1;
      if (w_row1 != '0) w_some_d = w_some_d | wb1;
    end
    if (wb2_valid_i) begin
      w_hit_d  = w_hit_d & ~wb2;
      w_some_d = w_some_d & ~wb2;
      if ((w_row2 & (head_reads_q[wb2_warp_i] | head_writes_q[wb2_warp_i])) != '0)
        w_hit_d = w_hit_d | wb2;
      if (w_row2 != '0) w_some_d = w_some_d | wb2;
    end
    if (wb3_valid_i) begin
      w_hit_d  = w_hit_d & ~wb3;
      w_some_d = w_some_d & ~wb3;
      if ((w_row3 & (head_reads_q[wb3_warp_i] | head_writes_q[wb3_warp_i])) != '0)
        w_hit_d = w_hit_d | wb3;
      if (w_row3 != '0) w_some_d = w_some_d | wb3;
    end
    if (w_iss0 != '0) w_some_d = w_some_d | iss0;
    if (w_iss1 != '0) w_some_d = w_some_d | iss1;

    r_hit_d  = r_hit_q & ~collected;
    u_some_d = u_some_q & ~collected;
    if (pipe0) u_some_d = u_some_d | iss0;
    if (pipe1) u_some_d = u_some_d | iss1;

    w_hit_d = w_hit_d & ~(nh0 | nh1 | nh2);
    r_hit_d = r_hit_d & ~(nh0 | nh1 | nh2);
    if ((w_nh0 & (reads0 | writes0)) != '0) w_hit_d = w_hit_d | nh0;
    if ((w_nh1 & (reads1 | writes1)) != '0) w_hit_d = w_hit_d | nh1;
    if ((w_nh2 & (reads2 | writes2)) != '0) w_hit_d = w_hit_d | nh2;
    if ((r_nh0 & writes0) != '0) r_hit_d = r_hit_d | nh0;
    if ((r_nh1 & writes1) != '0) r_hit_d = r_hit_d | nh1;
    if ((r_nh2 & writes2) != '0) r_hit_d = r_hit_d | nh2;
`ifdef TANDEM_BUGS
    if (bug_i == 8'd22) w_hit_d = w_hit_d & ~(((w_nh0 & writes0) == '0) ? nh0 : '0);
    if (bug_i == 8'd23) w_hit_d = w_hit_d & ~(((w_nh1 & reads1) == '0) ? nh1 : '0);
    if (bug_i == 8'd24) r_hit_d = r_hit_d & ~nh2;
    if (bug_i == 8'd25) begin
      if (w_nh0[31:0] == '0) w_hit_d = w_hit_d & ~nh0;
      if (w_nh1[31:0] == '0) w_hit_d = w_hit_d & ~nh1;
      if (w_nh2[31:0] == '0) w_hit_d = w_hit_d & ~nh2;
    end
`endif

    has_d     = (has_q & ~(iss0 | iss1 | flush)) | nh0 | nh1 | nh2;
    is_exit_d = is_exit_q & ~(nh0 | nh1 | nh2);
    is_none_d = is_none_q & ~(nh0 | nh1 | nh2);
    if (opnd0.dec.ctl == tandem_pkg::CtlExit)  is_exit_d = is_exit_d | nh0;
    if (opnd1.dec.ctl == tandem_pkg::CtlExit)  is_exit_d = is_exit_d | nh1;
    if (opnd2.dec.ctl == tandem_pkg::CtlExit)  is_exit_d = is_exit_d | nh2;
    if (opnd0.dec.pipe == tandem_pkg::PipeNone) is_none_d = is_none_d | nh0;
    if (opnd1.dec.pipe == tandem_pkg::PipeNone) is_none_d = is_none_d | nh1;
    if (opnd2.dec.pipe == tandem_pkg::PipeNone) is_none_d = is_none_d | nh2;
  end

  logic [Warps-1:0] hazard_d;
  always_comb begin
    hazard_d = has_d & (w_hit_d | r_hit_d | (is_exit_d & (w_some_d | u_some_d)));
`ifdef TANDEM_BUGS
    if (bug_i == 8'd29) hazard_d = has_d & (w_hit_d | r_hit_d | (is_exit_d & w_some_d));
`endif
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
    end else begin
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
      if (wb0_valid_i) wpend_q[wb0_warp_i] <= w_row0;
      if (wb1_valid_i) wpend_q[wb1_warp_i] <= w_row1;
      if (wb2_valid_i) wpend_q[wb2_warp_i] <= w_row2;
      if (wb3_valid_i) wpend_q[wb3_warp_i] <= w_row3;
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

  assign hazard_o = hazard_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert (!col0_valid_i || u_row0 != '1);
      assert (!col1_valid_i || u_row1 != '1);
      assert (!col2_valid_i || u_row2 != '1);
      assert (!col3_valid_i || u_row3 != '1);
      assert (((iss0 | iss1) & (~has_q | hazard_q)) == '0);
      assert (((nh0 & nh1) | (nh0 & nh2) | (nh1 & nh2)) == '0);
    end
  end
`endif
endmodule
