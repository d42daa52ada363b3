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
// new heads for one warp, a new head 1 or 2 of another warp than issue 0 or 1 names.

// A write whose index says already whether it is one; a simulator leaves it out.
`ifdef SYNTHESIS
`define TAKEN(valid)
`else
`define TAKEN(valid) if (valid)
`endif

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
  logic [Warps-1:0]  has_q;       // a head
  logic [Warps-1:0]  is_exit_q;   // which is an exit
  logic [Warps-1:0]  is_none_q;   // which uses no pipeline
  logic [Warps-1:0]  w_hit_q;     // it reads or writes what is to be written
  logic [Warps-1:0]  r_hit_q;     // it writes what is still to be read
  logic [Warps-1:0]  w_some_q;    // wpend is not empty
  logic [Warps-1:0]  u_some_q;    // uncol is not 0

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
    if (nh0_valid_i) begin
      reads0  = tandem_pkg::read_set(opnd0.srcs,
                                     {opnd0.dec.s3_n, opnd0.dec.s2_n, opnd0.dec.s1_n},
                                     {opnd0.dec.p3, opnd0.dec.p2}, opnd0.guard);
      writes0 = tandem_pkg::write_set(opnd0.dst, opnd0.dec.d_n, opnd0.dec.d_p);
    end
    if (nh1_valid_i) begin
      reads1  = tandem_pkg::read_set(opnd1.srcs,
                                     {opnd1.dec.s3_n, opnd1.dec.s2_n, opnd1.dec.s1_n},
                                     {opnd1.dec.p3, opnd1.dec.p2}, opnd1.guard);
      writes1 = tandem_pkg::write_set(opnd1.dst, opnd1.dec.d_n, opnd1.dec.d_p);
    end
    if (nh2_valid_i) begin
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

  // Each port reads the rows as they were at the last edge, and what the ports before it in the order
  // of a cycle do to the same warp it takes from them: no row is written and read again within a
  // cycle.  The last of several ports of a warp has the row as it becomes, and writes it last.
  // What a port that is not valid releases is empty, what it takes off a count is 0.
  /* verilator lint_off BLKSEQ */

  // The heads, and what is to be written.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0]         warp, has, is_exit, is_none, w_hit, w_some;
    logic [SetW-1:0]          wb0_set, wb1_set, wb2_set, wb0_row, wb1_row, wb2_row;
    logic [Releases*SetW-1:0] wb3_set, wb3_row;
    logic [WarpW-1:0]         wb3_warp, iss0_index, iss1_index;
    logic [SetW-1:0]          w_row, set, nh0_w_row, iss0_w_row, iss1_w_row;
    {warp, has, is_exit, is_none, w_hit, w_some} = '0;
    {wb0_set, wb1_set, wb2_set, wb0_row, wb1_row, wb2_row} = '0;
    {wb3_set, wb3_row, wb3_warp, iss0_index, iss1_index} = '0;
    {w_row, set, nh0_w_row, iss0_w_row, iss1_w_row} = '0;
    if (rst_ni) begin
      if (kernel_start_i) begin
        for (int w = 0; w < Warps; w++) wpend_q[w] = '0;
      end else begin
        has     = has_q;
        is_exit = is_exit_q;
        is_none = is_none_q;
        w_hit   = w_hit_q;
        w_some  = w_some_q;

        // Write-backs: fewer bits are pending, which can only end a hit.
        if (wb0_valid_i) begin
          warp    = Warps'(1) << wb0_warp_i;
          wb0_set = tandem_pkg::release_set(wb0_reg_i, wb0_size_i, wb0_pred_i);
          wb0_row = wpend_q[wb0_warp_i] & ~wb0_set;
          if (wb0_row == '0) w_some = w_some & ~warp;
          if ((wb0_row & (head_reads_q[wb0_warp_i] | head_writes_q[wb0_warp_i])) == '0)
            w_hit = w_hit & ~warp;
        end
        if (wb1_valid_i) begin
          warp    = Warps'(1) << wb1_warp_i;
          wb1_set = tandem_pkg::release_set(wb1_reg_i, wb1_size_i, wb1_pred_i);
          wb1_row = wpend_q[wb1_warp_i] & ~wb1_set;
          if (wb0_warp_i == wb1_warp_i) wb1_row = wb1_row & ~wb0_set;
          if (wb1_row == '0) w_some = w_some & ~warp;
          if ((wb1_row & (head_reads_q[wb1_warp_i] | head_writes_q[wb1_warp_i])) == '0)
            w_hit = w_hit & ~warp;
        end
        if (wb2_valid_i) begin
          warp    = Warps'(1) << wb2_warp_i;
          wb2_set = tandem_pkg::release_set(wb2_reg_i, wb2_size_i, wb2_pred_i);
          wb2_row = wpend_q[wb2_warp_i] & ~wb2_set;
          if (wb0_warp_i == wb2_warp_i) wb2_row = wb2_row & ~wb0_set;
          if (wb1_warp_i == wb2_warp_i) wb2_row = wb2_row & ~wb1_set;
          if (wb2_row == '0) w_some = w_some & ~warp;
          if ((wb2_row & (head_reads_q[wb2_warp_i] | head_writes_q[wb2_warp_i])) == '0)
            w_hit = w_hit & ~warp;
        end
        for (int k = 0; k < Releases; k++) begin
          wb3_warp = wb3_warp_i[k*WarpW+:WarpW];
          if (wb3_valid_i[k]) begin
            warp = Warps'(1) << wb3_warp;
            set  = tandem_pkg::release_set(wb3_reg_i[k*5+:5], wb3_size_i[k*2+:2], wb3_pred_i[k]);
`ifdef TANDEM_BUGS
            // Of two releases the second is lost.
            if (bug_i == 8'd113 && k > 0 && wb3_valid_i[k-1]) set = '0;
            if (bug_i == 8'd27 && wb3_size_i[k*2+:2] == 2'd3)
              set = tandem_pkg::release_set(wb3_reg_i[k*5+:5], 2'd2, wb3_pred_i[k]);
            if (bug_i == 8'd26 && wb0_valid_i && wb0_warp_i == wb3_warp) set = '0;
`endif
            wb3_set[k*SetW+:SetW] = set;
            w_row = wpend_q[wb3_warp] & ~set;
            if (wb0_warp_i == wb3_warp) w_row = w_row & ~wb0_set;
            if (wb1_warp_i == wb3_warp) w_row = w_row & ~wb1_set;
            if (wb2_warp_i == wb3_warp) w_row = w_row & ~wb2_set;
            for (int j = 0; j < k; j++)
              if (wb3_warp_i[j*WarpW+:WarpW] == wb3_warp)
                w_row = w_row & ~wb3_set[j*SetW+:SetW];
            wb3_row[k*SetW+:SetW] = w_row;
            if (w_row == '0) w_some = w_some & ~warp;
            if ((w_row & (head_reads_q[wb3_warp] | head_writes_q[wb3_warp])) == '0)
              w_hit = w_hit & ~warp;
          end
        end


        // Issue: what the head writes joins the pending.
        if (iss0_valid_i) begin
          warp  = Warps'(1) << iss0_warp_i;
          iss0_index = {iss0_warp_i[WarpW-1:1], 1'b0};
          has   = has & ~warp;
          w_row = wpend_q[iss0_index];
          if (wb0_warp_i == iss0_warp_i) w_row = w_row & ~wb0_set;
          if (wb1_warp_i == iss0_warp_i) w_row = w_row & ~wb1_set;
          if (wb2_warp_i == iss0_warp_i) w_row = w_row & ~wb2_set;
          for (int k = 0; k < Releases; k++)
            if (wb3_warp_i[k*WarpW+:WarpW] == iss0_warp_i)
              w_row = w_row & ~wb3_set[k*SetW+:SetW];
          iss0_w_row = w_row | head_writes_q[iss0_index];
          if (iss0_w_row != '0) w_some = w_some | warp;
        end
        if (iss1_valid_i) begin
          warp  = Warps'(1) << iss1_warp_i;
          iss1_index = {iss1_warp_i[WarpW-1:1], 1'b1};
          has   = has & ~warp;
          w_row = wpend_q[iss1_index];
          if (wb0_warp_i == iss1_warp_i) w_row = w_row & ~wb0_set;
          if (wb1_warp_i == iss1_warp_i) w_row = w_row & ~wb1_set;
          if (wb2_warp_i == iss1_warp_i) w_row = w_row & ~wb2_set;
          for (int k = 0; k < Releases; k++)
            if (wb3_warp_i[k*WarpW+:WarpW] == iss1_warp_i)
              w_row = w_row & ~wb3_set[k*SetW+:SetW];
          iss1_w_row = w_row | head_writes_q[iss1_index];
          if (iss1_w_row != '0) w_some = w_some | warp;
        end
        if (nh0_valid_i) begin
          // What a new head that comes by itself finds.
          nh0_w_row = wpend_q[nh0_warp_i];
          if (wb0_warp_i == nh0_warp_i) nh0_w_row = nh0_w_row & ~wb0_set;
          if (wb1_warp_i == nh0_warp_i) nh0_w_row = nh0_w_row & ~wb1_set;
          if (wb2_warp_i == nh0_warp_i) nh0_w_row = nh0_w_row & ~wb2_set;
          for (int k = 0; k < Releases; k++)
            if (wb3_warp_i[k*WarpW+:WarpW] == nh0_warp_i)
              nh0_w_row = nh0_w_row & ~wb3_set[k*SetW+:SetW];
          if (iss0_valid_i && iss0_warp_i == nh0_warp_i) nh0_w_row = iss0_w_row;
          if (iss1_valid_i && iss1_warp_i == nh0_warp_i) nh0_w_row = iss1_w_row;
        end

        // The rows of all ports, in their order, here and below.  A port that has none names a row
        // beyond those of the warps: what is written follows from the index alone, which spares
        // hardware a selection for each port and row.
        `TAKEN(wb0_valid_i) wpend_q[{WarpW{!wb0_valid_i}} | wb0_warp_i] = wb0_row;
        `TAKEN(wb1_valid_i) wpend_q[{WarpW{!wb1_valid_i}} | wb1_warp_i] = wb1_row;
        `TAKEN(wb2_valid_i) wpend_q[{WarpW{!wb2_valid_i}} | wb2_warp_i] = wb2_row;
        for (int k = 0; k < Releases; k++)
          `TAKEN(wb3_valid_i[k])
            wpend_q[{WarpW{!wb3_valid_i[k]}} | wb3_warp_i[k*WarpW+:WarpW]] = wb3_row[k*SetW+:SetW];
        `TAKEN(iss0_valid_i)
          wpend_q[{{WarpW-1{!iss0_valid_i}} | iss0_warp_i[WarpW-1:1], 1'b0}] = iss0_w_row;
        `TAKEN(iss1_valid_i)
          wpend_q[{{WarpW-1{!iss1_valid_i}} | iss1_warp_i[WarpW-1:1], 1'b1}] = iss1_w_row;

        if (flush_valid_i) has = has & ~(Warps'(1) << flush_warp_i);

        // New heads: their sets, against the rows as they now are.
        if (nh0_valid_i) begin
          warp  = Warps'(1) << nh0_warp_i;
          w_row = nh0_w_row;
          has     = has | warp;
          is_exit = is_exit & ~warp;
          is_none = is_none & ~warp;
          w_hit   = w_hit & ~warp;
          if (opnd0.dec.ctl == tandem_pkg::CtlExit)   is_exit = is_exit | warp;
          if (opnd0.dec.pipe == tandem_pkg::PipeNone) is_none = is_none | warp;
          if ((w_row & (reads0 | writes0)) != '0)     w_hit   = w_hit | warp;
`ifdef TANDEM_BUGS
          if (bug_i == 8'd22 && (w_row & writes0) == '0) w_hit = w_hit & ~warp;
          if (bug_i == 8'd25 && w_row[31:0] == '0)      w_hit = w_hit & ~warp;
`endif
        end
        if (nh1_valid_i) begin
          warp  = Warps'(1) << nh1_warp_i;
          w_row = iss0_w_row;
          has     = has | warp;
          is_exit = is_exit & ~warp;
          is_none = is_none & ~warp;
          w_hit   = w_hit & ~warp;
          if (opnd1.dec.ctl == tandem_pkg::CtlExit)   is_exit = is_exit | warp;
          if (opnd1.dec.pipe == tandem_pkg::PipeNone) is_none = is_none | warp;
          if ((w_row & (reads1 | writes1)) != '0)     w_hit   = w_hit | warp;
`ifdef TANDEM_BUGS
          if (bug_i == 8'd23 && (w_row & reads1) == '0) w_hit = w_hit & ~warp;
          if (bug_i == 8'd25 && w_row[31:0] == '0)     w_hit = w_hit & ~warp;
`endif
        end
        if (nh2_valid_i) begin
          warp  = Warps'(1) << nh2_warp_i;
          w_row = iss1_w_row;
          has     = has | warp;
          is_exit = is_exit & ~warp;
          is_none = is_none & ~warp;
          w_hit   = w_hit & ~warp;
          if (opnd2.dec.ctl == tandem_pkg::CtlExit)   is_exit = is_exit | warp;
          if (opnd2.dec.pipe == tandem_pkg::PipeNone) is_none = is_none | warp;
          if ((w_row & (reads2 | writes2)) != '0)     w_hit   = w_hit | warp;
        end

      end
      has_q     <= has;
      is_exit_q <= is_exit;
      is_none_q <= is_none;
      w_hit_q   <= w_hit;
      w_some_q  <= w_some;
    end else begin
      for (int w = 0; w < Warps; w++) wpend_q[w] = '0;
      has_q     <= '0;
      is_exit_q <= '0;
      is_none_q <= '0;
      w_hit_q   <= '0;
      w_some_q  <= '0;
    end
  end

  // What is still to be read.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0]  warp, r_hit, u_some;
    logic [CountW-1:0] col0_row, col1_row, col2_row, col3_row, iss0_u_row, iss1_u_row;
    logic              col0_less, col1_less, col2_less, col3_less;
    logic              col0_last, col1_last, col2_last, col3_last;
    logic              iss0_piped, iss1_piped;
    logic [WarpW-1:0]  iss0_index, iss1_index;
    logic [SetW-1:0]   iss0_r_row, iss1_r_row, nh0_r_row;
    {warp, r_hit, u_some} = '0;
    {col0_row, col1_row, col2_row, col3_row, iss0_u_row, iss1_u_row} = '0;
    {col0_less, col1_less, col2_less, col3_less} = '0;
    {col0_last, col1_last, col2_last, col3_last} = '0;
    {iss0_piped, iss1_piped, iss0_index, iss1_index} = '0;
    {iss0_r_row, iss1_r_row, nh0_r_row} = '0;
    if (rst_ni) begin
      if (kernel_start_i) begin
        for (int w = 0; w < Warps; w++) begin
          rpend_q[w] = '0;
          uncol_q[w] = '0;
        end
      end else begin
        r_hit  = r_hit_q;
        u_some = u_some_q;

        // Collections: with the last one, nothing of the warp is still to be read.
        if (col0_valid_i) begin
          warp      = Warps'(1) << col0_warp_i;
          col0_less = 1'b1;
          col0_row  = uncol_q[col0_warp_i];
`ifndef SYNTHESIS
          assert (col0_row != '0);
`endif
          col0_row  = col0_row - CountW'(col0_less);
          col0_last = col0_row == '0;
          if (col0_last) begin
            r_hit  = r_hit & ~warp;
            u_some = u_some & ~warp;
          end
        end
        if (col1_valid_i) begin
          warp      = Warps'(1) << col1_warp_i;
          col1_less = 1'b1;
`ifdef TANDEM_BUGS
          if (bug_i == 8'd28 && col0_valid_i && col1_warp_i == col0_warp_i) col1_less = 1'b0;
`endif
          col1_row  = uncol_q[col1_warp_i];
          if (col0_warp_i == col1_warp_i) col1_row = col1_row - CountW'(col0_less);
`ifndef SYNTHESIS
          assert (col1_row != '0);
`endif
          col1_row  = col1_row - CountW'(col1_less);
          col1_last = col1_row == '0;
          if (col1_last) begin
            r_hit  = r_hit & ~warp;
            u_some = u_some & ~warp;
          end
        end
        if (col2_valid_i) begin
          warp      = Warps'(1) << col2_warp_i;
          col2_less = 1'b1;
          col2_row  = uncol_q[col2_warp_i];
          if (col0_warp_i == col2_warp_i) col2_row = col2_row - CountW'(col0_less);
          if (col1_warp_i == col2_warp_i) col2_row = col2_row - CountW'(col1_less);
`ifndef SYNTHESIS
          assert (col2_row != '0);
`endif
          col2_row  = col2_row - CountW'(col2_less);
          col2_last = col2_row == '0;
          if (col2_last) begin
            r_hit  = r_hit & ~warp;
            u_some = u_some & ~warp;
          end
        end
        if (col3_valid_i) begin
          warp      = Warps'(1) << col3_warp_i;
          col3_less = 1'b1;
          col3_row  = uncol_q[col3_warp_i];
          if (col0_warp_i == col3_warp_i) col3_row = col3_row - CountW'(col0_less);
          if (col1_warp_i == col3_warp_i) col3_row = col3_row - CountW'(col1_less);
          if (col2_warp_i == col3_warp_i) col3_row = col3_row - CountW'(col2_less);
`ifndef SYNTHESIS
          assert (col3_row != '0);
`endif
          col3_row  = col3_row - CountW'(col3_less);
          col3_last = col3_row == '0;
          if (col3_last) begin
            r_hit  = r_hit & ~warp;
            u_some = u_some & ~warp;
          end
        end

        // Issue: what the head reads joins the pending.
        if (iss0_valid_i) begin
          warp = Warps'(1) << iss0_warp_i;
          iss0_index = {iss0_warp_i[WarpW-1:1], 1'b0};
          iss0_r_row = rpend_q[iss0_index];
          iss0_u_row = uncol_q[iss0_index];
          if (col0_warp_i == iss0_warp_i) begin
            if (col0_last) iss0_r_row = '0;
            iss0_u_row = iss0_u_row - CountW'(col0_less);
          end
          if (col1_warp_i == iss0_warp_i) begin
            if (col1_last) iss0_r_row = '0;
            iss0_u_row = iss0_u_row - CountW'(col1_less);
          end
          if (col2_warp_i == iss0_warp_i) begin
            if (col2_last) iss0_r_row = '0;
            iss0_u_row = iss0_u_row - CountW'(col2_less);
          end
          if (col3_warp_i == iss0_warp_i) begin
            if (col3_last) iss0_r_row = '0;
            iss0_u_row = iss0_u_row - CountW'(col3_less);
          end
          if ((is_none_q & warp) == '0) begin
            iss0_piped = 1'b1;
            u_some     = u_some | warp;
            iss0_r_row = iss0_r_row | head_reads_q[iss0_index];
            iss0_u_row = iss0_u_row + CountW'(1);
          end
        end
        if (iss1_valid_i) begin
          warp = Warps'(1) << iss1_warp_i;
          iss1_index = {iss1_warp_i[WarpW-1:1], 1'b1};
          iss1_r_row = rpend_q[iss1_index];
          iss1_u_row = uncol_q[iss1_index];
          if (col0_warp_i == iss1_warp_i) begin
            if (col0_last) iss1_r_row = '0;
            iss1_u_row = iss1_u_row - CountW'(col0_less);
          end
          if (col1_warp_i == iss1_warp_i) begin
            if (col1_last) iss1_r_row = '0;
            iss1_u_row = iss1_u_row - CountW'(col1_less);
          end
          if (col2_warp_i == iss1_warp_i) begin
            if (col2_last) iss1_r_row = '0;
            iss1_u_row = iss1_u_row - CountW'(col2_less);
          end
          if (col3_warp_i == iss1_warp_i) begin
            if (col3_last) iss1_r_row = '0;
            iss1_u_row = iss1_u_row - CountW'(col3_less);
          end
          if ((is_none_q & warp) == '0) begin
            iss1_piped = 1'b1;
            u_some     = u_some | warp;
            iss1_r_row = iss1_r_row | head_reads_q[iss1_index];
            iss1_u_row = iss1_u_row + CountW'(1);
          end
        end
        if (nh0_valid_i) begin
          nh0_r_row = rpend_q[nh0_warp_i];
          if ((col0_last && col0_warp_i == nh0_warp_i) || (col1_last && col1_warp_i == nh0_warp_i) ||
              (col2_last && col2_warp_i == nh0_warp_i) || (col3_last && col3_warp_i == nh0_warp_i))
            nh0_r_row = '0;
          if (iss0_valid_i && iss0_warp_i == nh0_warp_i) nh0_r_row = iss0_r_row;
          if (iss1_valid_i && iss1_warp_i == nh0_warp_i) nh0_r_row = iss1_r_row;
        end
        `TAKEN(col0_less) uncol_q[{WarpW{!col0_less}} | col0_warp_i] = col0_row;
        `TAKEN(col0_last) rpend_q[{WarpW{!col0_last}} | col0_warp_i] = '0;
        `TAKEN(col1_less) uncol_q[{WarpW{!col1_less}} | col1_warp_i] = col1_row;
        `TAKEN(col1_last) rpend_q[{WarpW{!col1_last}} | col1_warp_i] = '0;
        `TAKEN(col2_less) uncol_q[{WarpW{!col2_less}} | col2_warp_i] = col2_row;
        `TAKEN(col2_last) rpend_q[{WarpW{!col2_last}} | col2_warp_i] = '0;
        `TAKEN(col3_less) uncol_q[{WarpW{!col3_less}} | col3_warp_i] = col3_row;
        `TAKEN(col3_last) rpend_q[{WarpW{!col3_last}} | col3_warp_i] = '0;
        `TAKEN(iss0_piped)
          rpend_q[{{WarpW-1{!iss0_piped}} | iss0_warp_i[WarpW-1:1], 1'b0}] = iss0_r_row;
        `TAKEN(iss0_piped)
          uncol_q[{{WarpW-1{!iss0_piped}} | iss0_warp_i[WarpW-1:1], 1'b0}] = iss0_u_row;
        `TAKEN(iss1_piped)
          rpend_q[{{WarpW-1{!iss1_piped}} | iss1_warp_i[WarpW-1:1], 1'b1}] = iss1_r_row;
        `TAKEN(iss1_piped)
          uncol_q[{{WarpW-1{!iss1_piped}} | iss1_warp_i[WarpW-1:1], 1'b1}] = iss1_u_row;

        // New heads: what they write, against what is still to be read.
        if (nh0_valid_i) begin
          warp  = Warps'(1) << nh0_warp_i;
          r_hit = r_hit & ~warp;
          if ((nh0_r_row & writes0) != '0) r_hit = r_hit | warp;
        end
        if (nh1_valid_i) begin
          warp  = Warps'(1) << nh1_warp_i;
          r_hit = r_hit & ~warp;
          if ((iss0_r_row & writes1) != '0) r_hit = r_hit | warp;
        end
        if (nh2_valid_i) begin
          warp  = Warps'(1) << nh2_warp_i;
          r_hit = r_hit & ~warp;
          if ((iss1_r_row & writes2) != '0) r_hit = r_hit | warp;
`ifdef TANDEM_BUGS
          if (bug_i == 8'd24) r_hit = r_hit & ~warp;
`endif
        end
      end
      r_hit_q  <= r_hit;
      u_some_q <= u_some;
    end else begin
      for (int w = 0; w < Warps; w++) begin
        rpend_q[w] = '0;
        uncol_q[w] = '0;
      end
      r_hit_q  <= '0;
      u_some_q <= '0;
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
      assert (!nh1_valid_i || (iss0_valid_i && nh1_warp_i == iss0_warp_i));
      assert (!nh2_valid_i || (iss1_valid_i && nh2_warp_i == iss1_warp_i));
      assert (!nh0_valid_i || !nh1_valid_i || nh0_warp_i != nh1_warp_i);
      assert (!nh0_valid_i || !nh2_valid_i || nh0_warp_i != nh2_warp_i);
    end
  end
`endif
endmodule
`undef TAKEN
