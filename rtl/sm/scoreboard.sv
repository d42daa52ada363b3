// Scoreboard: for each warp, which registers and predicates are to be written (wpend) and which are
// still to be read (rpend) by instructions in flight, and whether the warp's head must wait for
// them (hazard).
//
// A set is 48 bits: registers 31..0, predicates above them.  The head's operand sets are expanded
// when it becomes the head and kept, as they are needed at every change of the pending sets.  The
// parts of the hazard of all warps are registers, worked out only for the warps that change: they
// start the critical path through the schedulers.  A write-back changes one part, a collection
// another.
//
// Order within a cycle: write-backs and collections release, then issue reserves, then heads
// change.  Several ports may name one warp.  kernel_start wins over everything.
//
// Nothing here but the hazard is looked at from outside: the next state is worked out in the process
// that keeps it, in variables of the process, which a simulator need not keep from one cycle to the
// next.  (It stands before the reset, as everywhere in the front end:
// of a register that is read before it is written, a simulator needs no copy.)
//
// Illegal: a collection when none is outstanding, an issue without head or against a hazard, two
// new heads for one warp, a new head 0 of a warp that issues, a new head 1 or 2 of another warp than
// issue 0 or 1 names.

// One text for a simulator, which does what a cycle asks for, port by port, and for hardware, in which
// all is there at once:
//
// WHEN(valid) statement: the statement has no effect unless valid.
// ONE(valid, warp): the warp's bit, if valid.
// ROW(warps, index, statements): statements for w = index, a warp, and on = 1.  Hardware has them for
//   every row, on being the row's bit of warps: ports that change rows in turn then cost a gate or
//   two a bit, where each would read and write one of all rows.
`ifdef SYNTHESIS
`define WHEN(valid)
`define ONE(valid, warp) ((Warps'(1) << (warp)) & {Warps{valid}})
`define ROW(warps, index, statements) \
    for (w = 0; w < Warps; w = w + 1) begin on = warps[w]; statements end
`define EXPECT(condition)
`else
`define WHEN(valid) if (valid)
`define ONE(valid, warp) (Warps'(1) << (warp))
`define ROW(warps, index, statements) begin w = index; on = 1'b1; statements end
`define EXPECT(condition) assert (condition);
`endif
// Fewer bits are pending, which can only end a hit; with the last collection nothing of the warp is
// still to be read.
`define RELEASED \
    if (wpend_q[w] == '0) w_some[w] = 1'b0; \
    if ((wpend_q[w] & head_any_q[w]) == '0) w_hit[w] = 1'b0;
`define COLLECTED \
    if (uncol_q[w] == '0) begin \
      rpend_q[w] = '0; \
      r_hit[w]   = 1'b0; \
      u_some[w]  = 1'b0; \
    end

module scoreboard #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Releases = 1  // ports of MEM write-backs
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0]                   bug_i,
`endif
  input  logic                         kernel_start_i,

  // New heads, from ibuffer: of a warp whose buffer was empty or gets another instruction, and those
  // behind the heads that issue takes
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
  input  logic [Releases-1:0]          wb3_valid_i,
  input  logic [Releases*tandem_pkg::WarpW-1:0] wb3_warp_i,
  input  logic [Releases*5-1:0]        wb3_reg_i,
  input  logic [Releases*2-1:0]        wb3_size_i,
  input  logic [Releases-1:0]          wb3_pred_i,

  // Collections of operands
  input  logic                         col0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] col0_warp_i,
  input  logic                         col1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] col1_warp_i,
  input  logic                         col2_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] col2_warp_i,
  input  logic                         col3_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] col3_warp_i,

  output logic [Warps-1:0]             hazard_o,
  output logic                         idle_o  // nothing is pending, of any warp
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned SetW = tandem_pkg::SetW;
  localparam int unsigned CountW = 6;
  localparam int unsigned Rows = Warps + tandem_pkg::SpareRows;

  logic [SetW-1:0]   wpend_q [Rows]  /*verilator public_flat_rd*/;
  logic [SetW-1:0]   rpend_q [Rows]  /*verilator public_flat_rd*/;
  logic [CountW-1:0] uncol_q [Rows]  /*verilator public_flat_rd*/;
  logic [Warps-1:0]  hazard   /*verilator public_flat_rd*/;

  logic [SetW-1:0]   head_reads_q [Rows];
  logic [SetW-1:0]   head_writes_q [Rows];
  logic [SetW-1:0]   head_any_q [Rows];  // both
  logic [Warps-1:0]  has_q;       // a head
  logic [Warps-1:0]  is_exit_q;   // which is an exit
  logic [Warps-1:0]  is_none_q;   // which uses no pipeline
  logic [Warps-1:0]  w_hit_q;     // it reads or writes what is to be written
  logic [Warps-1:0]  r_hit_q;     // it writes what is still to be read
  logic [Warps-1:0]  w_some_q;    // wpend is not empty
  logic [Warps-1:0]  u_some_q;    // uncol is not 0

  // Of an even and an odd warp.
  logic [WarpW-1:0]  iss0_index, iss1_index;
  assign iss0_index = {iss0_warp_i[WarpW-1:1], 1'b0};
  assign iss1_index = {iss1_warp_i[WarpW-1:1], 1'b1};

  tandem_pkg::opnd_t opnd0, opnd1, opnd2;
  logic              unused_opnd;  // a predicate is read whether negated or not
  assign opnd0 = nh0_opnd_i;
  assign opnd1 = nh1_opnd_i;
  assign opnd2 = nh2_opnd_i;
  assign unused_opnd = 1'b0 & ^{opnd0.guard_not, opnd1.guard_not, opnd2.guard_not};

  // Operand sets of the new heads.
  logic [SetW-1:0] reads0, reads1, reads2, writes0, writes1, writes2;
  always_comb begin
    reads0  = '0;
    writes0 = '0;
    reads1  = '0;
    writes1 = '0;
    reads2  = '0;
    writes2 = '0;
    `WHEN(nh0_valid_i) begin
      reads0  = tandem_pkg::read_set(opnd0.srcs,
                                     {opnd0.dec.s3_n, opnd0.dec.s2_n, opnd0.dec.s1_n},
                                     {opnd0.dec.p3, opnd0.dec.p2}, opnd0.guard);
      writes0 = tandem_pkg::write_set(opnd0.dst, opnd0.dec.d_n, opnd0.dec.d_p);
    end
    `WHEN(nh1_valid_i) begin
      reads1  = tandem_pkg::read_set(opnd1.srcs,
                                     {opnd1.dec.s3_n, opnd1.dec.s2_n, opnd1.dec.s1_n},
                                     {opnd1.dec.p3, opnd1.dec.p2}, opnd1.guard);
      writes1 = tandem_pkg::write_set(opnd1.dst, opnd1.dec.d_n, opnd1.dec.d_p);
    end
    `WHEN(nh2_valid_i) begin
      reads2  = tandem_pkg::read_set(opnd2.srcs,
                                     {opnd2.dec.s3_n, opnd2.dec.s2_n, opnd2.dec.s1_n},
                                     {opnd2.dec.p3, opnd2.dec.p2}, opnd2.guard);
      writes2 = tandem_pkg::write_set(opnd2.dst, opnd2.dec.d_n, opnd2.dec.d_p);
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

  // The rows and counts are this process's alone and are written at once, so that what comes later in
  // the order of a cycle finds what came before.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0] warp, has, is_exit, is_none, w_hit, r_hit, w_some, u_some;
    logic [SetW-1:0]  set, w_set, w_row0, w_row1, w_row, r_set, r_row0, r_row1, r_row;
    logic [WarpW-1:0] w;
    logic             on, piped;
    {warp, has, is_exit, is_none, w_hit, r_hit, w_some, u_some} = '0;
    {set, w_set, w_row0, w_row1, w_row, r_set, r_row0, r_row1, r_row} = '0;
    {w, on, piped} = '0;
    if (rst_ni) begin
      if (kernel_start_i) begin
        for (int i = 0; i < Warps; i++) begin
          wpend_q[i] = '0;
          rpend_q[i] = '0;
          uncol_q[i] = '0;
        end
      end else begin
        has     = has_q;
        is_exit = is_exit_q;
        is_none = is_none_q;
        w_hit   = w_hit_q;
        r_hit   = r_hit_q;
        w_some  = w_some_q;
        u_some  = u_some_q;

        // Write-backs.
        `WHEN(wb0_valid_i) begin
          warp = `ONE(wb0_valid_i, wb0_warp_i);
          set  = tandem_pkg::release_set(wb0_reg_i, wb0_size_i, wb0_pred_i);
          `ROW(warp, wb0_warp_i, wpend_q[w] = wpend_q[w] & ~(set & {SetW{on}});)
        end
        `WHEN(wb1_valid_i) begin
          warp = `ONE(wb1_valid_i, wb1_warp_i);
          set  = tandem_pkg::release_set(wb1_reg_i, wb1_size_i, wb1_pred_i);
          `ROW(warp, wb1_warp_i, wpend_q[w] = wpend_q[w] & ~(set & {SetW{on}});)
        end
        `WHEN(wb2_valid_i) begin
          warp = `ONE(wb2_valid_i, wb2_warp_i);
          set  = tandem_pkg::release_set(wb2_reg_i, wb2_size_i, wb2_pred_i);
          `ROW(warp, wb2_warp_i, wpend_q[w] = wpend_q[w] & ~(set & {SetW{on}});)
        end
        `WHEN(wb3_valid_i != '0) for (int k = 0; k < Releases; k++) begin
          `WHEN(wb3_valid_i[k]) begin
            warp = `ONE(wb3_valid_i[k], wb3_warp_i[k*WarpW+:WarpW]);
            set  = tandem_pkg::release_set(wb3_reg_i[k*5+:5], wb3_size_i[k*2+:2], wb3_pred_i[k]);
`ifdef TANDEM_BUGS
            // Of two releases the second is lost.
            if (bug_i == 8'd113 && k > 0 && wb3_valid_i[k-1]) set = '0;
            if (bug_i == 8'd27 && wb3_size_i[k*2+:2] == 2'd3)
              set = tandem_pkg::release_set(wb3_reg_i[k*5+:5], 2'd2, wb3_pred_i[k]);
            if (bug_i == 8'd26 && wb0_valid_i && wb0_warp_i == wb3_warp_i[k*WarpW+:WarpW]) set = '0;
`endif
            `ROW(warp, wb3_warp_i[k*WarpW+:WarpW], wpend_q[w] = wpend_q[w] & ~(set & {SetW{on}});)
          end
        end

        // Collections.
        `WHEN(col0_valid_i) begin
          warp = `ONE(col0_valid_i, col0_warp_i);
          `ROW(warp, col0_warp_i, `EXPECT(uncol_q[w] != '0) uncol_q[w] = uncol_q[w] - CountW'(on);)
        end
        `WHEN(col1_valid_i) begin
          warp = `ONE(col1_valid_i, col1_warp_i);
          `ROW(warp, col1_warp_i, `EXPECT(uncol_q[w] != '0) uncol_q[w] = uncol_q[w] - CountW'(on);)
        end
        `WHEN(col2_valid_i) begin
          warp = `ONE(col2_valid_i, col2_warp_i);
          `ROW(warp, col2_warp_i, `EXPECT(uncol_q[w] != '0) uncol_q[w] = uncol_q[w] - CountW'(on);)
        end
        `WHEN(col3_valid_i) begin
          warp = `ONE(col3_valid_i, col3_warp_i);
          `ROW(warp, col3_warp_i, `EXPECT(uncol_q[w] != '0) uncol_q[w] = uncol_q[w] - CountW'(on);)
        end
`ifdef TANDEM_BUGS
        if (bug_i == 8'd28 && col0_valid_i && col1_valid_i && col1_warp_i == col0_warp_i)
          uncol_q[col1_warp_i] = uncol_q[col1_warp_i] + CountW'(1);
`endif

        // What is left.  Of a row that nothing has left, this is known.
`ifdef SYNTHESIS
        for (w = 0; w < Warps; w = w + 1) begin
          `RELEASED
          `COLLECTED
        end
`else
        if (wb0_valid_i) `ROW(warp, wb0_warp_i, `RELEASED)
        if (wb1_valid_i) `ROW(warp, wb1_warp_i, `RELEASED)
        if (wb2_valid_i) `ROW(warp, wb2_warp_i, `RELEASED)
        if (wb3_valid_i != '0) for (int k = 0; k < Releases; k++)
          if (wb3_valid_i[k]) `ROW(warp, wb3_warp_i[k*WarpW+:WarpW], `RELEASED)
        if (col0_valid_i) `ROW(warp, col0_warp_i, `COLLECTED)
        if (col1_valid_i) `ROW(warp, col1_warp_i, `COLLECTED)
        if (col2_valid_i) `ROW(warp, col2_warp_i, `COLLECTED)
        if (col3_valid_i) `ROW(warp, col3_warp_i, `COLLECTED)
`endif

        // Issue: the head's sets join the pending ones.
        `WHEN(nh0_valid_i) begin
          w_row = wpend_q[nh0_warp_i];
          r_row = rpend_q[nh0_warp_i];
        end
        `WHEN(iss0_valid_i) begin
          warp  = `ONE(iss0_valid_i, iss0_index);
          piped = ((is_none_q >> iss0_index) & Warps'(1)) == '0;
          w_set = head_writes_q[iss0_index];
          r_set = head_reads_q[iss0_index] & {SetW{piped}};
          w_row0 = wpend_q[iss0_index] | w_set;
          r_row0 = rpend_q[iss0_index] | r_set;
          has    = has & ~warp;
          w_some = w_some | (warp & {Warps{w_set != '0}});
          u_some = u_some | (warp & {Warps{piped}});
          `ROW(warp, iss0_index, wpend_q[w] = wpend_q[w] | (w_set & {SetW{on}});
               rpend_q[w] = rpend_q[w] | (r_set & {SetW{on}});
               uncol_q[w] = on && piped ? uncol_q[w] + CountW'(1) : uncol_q[w];)
        end
        `WHEN(iss1_valid_i) begin
          warp  = `ONE(iss1_valid_i, iss1_index);
          piped = ((is_none_q >> iss1_index) & Warps'(1)) == '0;
          w_set = head_writes_q[iss1_index];
          r_set = head_reads_q[iss1_index] & {SetW{piped}};
          w_row1 = wpend_q[iss1_index] | w_set;
          r_row1 = rpend_q[iss1_index] | r_set;
          has    = has & ~warp;
          w_some = w_some | (warp & {Warps{w_set != '0}});
          u_some = u_some | (warp & {Warps{piped}});
          `ROW(warp, iss1_index, wpend_q[w] = wpend_q[w] | (w_set & {SetW{on}});
               rpend_q[w] = rpend_q[w] | (r_set & {SetW{on}});
               uncol_q[w] = on && piped ? uncol_q[w] + CountW'(1) : uncol_q[w];)
        end
        `WHEN(flush_valid_i) has = has & ~`ONE(flush_valid_i, flush_warp_i);

        // New heads: their sets, against the rows as they now are.
        `WHEN(nh0_valid_i) begin
          warp    = `ONE(nh0_valid_i, nh0_warp_i);
          has     = has | warp;
          is_exit = (is_exit & ~warp) | (warp & {Warps{opnd0.dec.ctl == tandem_pkg::CtlExit}});
          is_none = (is_none & ~warp) | (warp & {Warps{opnd0.dec.pipe == tandem_pkg::PipeNone}});
          w_hit   = (w_hit & ~warp) | (warp & {Warps{(w_row & (reads0 | writes0)) != '0}});
          r_hit   = (r_hit & ~warp) | (warp & {Warps{(r_row & writes0) != '0}});
          `ROW(warp, nh0_warp_i, head_any_q[w] = on ? reads0 | writes0 : head_any_q[w];)
`ifdef TANDEM_BUGS
          if (bug_i == 8'd22 && (w_row & writes0) == '0) w_hit = w_hit & ~warp;
          if (bug_i == 8'd25 && w_row[31:0] == '0)      w_hit = w_hit & ~warp;
`endif
        end
        `WHEN(nh1_valid_i) begin
          warp    = `ONE(nh1_valid_i, iss0_index);
          has     = has | warp;
          is_exit = (is_exit & ~warp) | (warp & {Warps{opnd1.dec.ctl == tandem_pkg::CtlExit}});
          is_none = (is_none & ~warp) | (warp & {Warps{opnd1.dec.pipe == tandem_pkg::PipeNone}});
          w_hit   = (w_hit & ~warp) | (warp & {Warps{(w_row0 & (reads1 | writes1)) != '0}});
          r_hit   = (r_hit & ~warp) | (warp & {Warps{(r_row0 & writes1) != '0}});
          `ROW(warp, iss0_index, head_any_q[w] = on ? reads1 | writes1 : head_any_q[w];)
`ifdef TANDEM_BUGS
          if (bug_i == 8'd23 && (w_row0 & reads1) == '0) w_hit = w_hit & ~warp;
          if (bug_i == 8'd25 && w_row0[31:0] == '0)     w_hit = w_hit & ~warp;
`endif
        end
        `WHEN(nh2_valid_i) begin
          warp    = `ONE(nh2_valid_i, iss1_index);
          has     = has | warp;
          is_exit = (is_exit & ~warp) | (warp & {Warps{opnd2.dec.ctl == tandem_pkg::CtlExit}});
          is_none = (is_none & ~warp) | (warp & {Warps{opnd2.dec.pipe == tandem_pkg::PipeNone}});
          w_hit   = (w_hit & ~warp) | (warp & {Warps{(w_row1 & (reads2 | writes2)) != '0}});
          r_hit   = (r_hit & ~warp) | (warp & {Warps{(r_row1 & writes2) != '0}});
          `ROW(warp, iss1_index, head_any_q[w] = on ? reads2 | writes2 : head_any_q[w];)
`ifdef TANDEM_BUGS
          if (bug_i == 8'd24) r_hit = r_hit & ~warp;
`endif
        end
      end
      has_q     <= has;
      is_exit_q <= is_exit;
      is_none_q <= is_none;
      w_hit_q   <= w_hit;
      r_hit_q   <= r_hit;
      w_some_q  <= w_some;
      u_some_q  <= u_some;
    end else begin
      for (int i = 0; i < Warps; i++) begin
        wpend_q[i] = '0;
        rpend_q[i] = '0;
        uncol_q[i] = '0;
      end
      has_q     <= '0;
      is_exit_q <= '0;
      is_none_q <= '0;
      w_hit_q   <= '0;
      r_hit_q   <= '0;
      w_some_q  <= '0;
      u_some_q  <= '0;
    end
  end
  /* verilator lint_on BLKSEQ */

  assign hazard_o = hazard;
  always_comb begin
    hazard = has_q & (w_hit_q | r_hit_q | (is_exit_q & (w_some_q | u_some_q)));
    idle_o = ~|{w_some_q, u_some_q};
`ifdef TANDEM_BUGS
    if (bug_i == 8'd29) hazard = has_q & (w_hit_q | r_hit_q | (is_exit_q & w_some_q));
    // What is not collected does not count.
    if (bug_i == 8'd112) idle_o = w_some_q == '0;
`endif
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert (!iss0_valid_i || (has_q[iss0_warp_i] && !hazard[iss0_warp_i]));
      assert (!iss1_valid_i || (has_q[iss1_warp_i] && !hazard[iss1_warp_i]));
      assert (!iss0_valid_i || !iss0_warp_i[0]);
      assert (!iss1_valid_i || iss1_warp_i[0]);
      assert (!nh0_valid_i || !iss0_valid_i || nh0_warp_i != iss0_warp_i);
      assert (!nh0_valid_i || !iss1_valid_i || nh0_warp_i != iss1_warp_i);
      assert (!nh1_valid_i || (iss0_valid_i && nh1_warp_i == iss0_warp_i));
      assert (!nh2_valid_i || (iss1_valid_i && nh2_warp_i == iss1_warp_i));
      assert (!nh0_valid_i || !nh1_valid_i || nh0_warp_i != nh1_warp_i);
      assert (!nh0_valid_i || !nh2_valid_i || nh0_warp_i != nh2_warp_i);
    end
  end
`endif
endmodule
`undef WHEN
`undef ONE
`undef ROW
`undef EXPECT
`undef RELEASED
`undef COLLECTED
