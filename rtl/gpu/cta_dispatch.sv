// CTA dispatch of a GPU: which SMs take the next CTAs of the grid.
//
// The enabled SMs are in groups: a group starts at an SM with its lead bit and reaches up to the
// next one, or to an SM that is not enabled.  In each cycle, in the order of SMs, every group of n
// whose members are all ready takes n CTAs, if that many are left after those before it; a group
// that would need more is passed over.  Once a kernel, when the CTAs left are fewer than the
// smallest group has members, the lowest group of which all members are idle is to be split.
//
// kernel_start takes the grid and wins over everything: nothing is given in its cycle.  It also takes the
// residue of the grid's CTAs over the members of a cluster, by which the last cluster is formed.
//
// Illegal: an SM enabled without a lead at or below it since the last one that is not enabled.

module cta_dispatch #(
  parameter int unsigned Sms = 64
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           kernel_start_i,
  input  logic [31:0]    ctas_i,
  input  logic           adaptive_i,
  input  logic [2:0]     cluster_i,  // members of a cluster, which are a power of two, less 1

  input  logic [Sms-1:0] enabled_i,  // SMs that the GPU has; stands still within a kernel
  input  logic [Sms-1:0] ready_i,    // has a place for a CTA
  input  logic [Sms-1:0] lead_i,     // first of a group
  input  logic [Sms-1:0] idle_i,     // nothing resident

  output logic [Sms-1:0] give_o,     // takes a CTA: first_o plus the number of give bits below
  output logic [31:0]    first_o,
  output logic [Sms-1:0] split_o,    // at the lead of the group to be split
  output logic           done_o,
  output logic [2:0]     form_o     // residue, for the last cluster
);
  localparam int unsigned CountW = $clog2(Sms + 1);

  logic [31:0] next_q  /*verilator public_flat_rd*/;
  logic [31:0] left_q  /*verilator public_flat_rd*/;
  logic        asked_q  /*verilator public_flat_rd*/;  // for a split, in this kernel
  logic [2:0]  form_q  /*verilator public_flat_rd*/;

  logic [Sms-1:0] starts, ready, idle;
  assign starts = (lead_i | ~enabled_i);
  assign ready  = ready_i & enabled_i;
  assign idle   = idle_i & enabled_i;

  // From the highest SM down: whether the rest of the group, this SM included, is ready, and how
  // many they are.  From the lowest up: what is left for this group.  Nothing to do most of the time.
  logic [CountW-1:0] left, size, taken;
  logic [CountW*Sms-1:0] sizes;
  logic [Sms-1:0]    full, give;
  logic              all, taking;
  always_comb begin
    give   = '0;
    full   = '0;
    taken  = '0;
    size   = '0;
    all    = 1'b1;
    taking = 1'b0;
    left   = left_q > 32'(Sms) ? CountW'(Sms) : left_q[CountW-1:0];
    sizes  = '0;
    if (ready != '0 && left_q != '0 && !kernel_start_i) begin
      for (int i = Sms - 1; i >= 0; i--) begin
        size = size + CountW'(1);
        all  = all && ready[i];
        full[i] = all;

        sizes[CountW*i+:CountW] = size;
        if (starts[i]) begin
          size = '0;
          all  = 1'b1;
        end
      end
      for (int i = 0; i < Sms; i++) begin
        if (starts[i]) begin
          taking = full[i] && sizes[CountW*i+:CountW] <= left - taken;
          if (taking) taken = taken + sizes[CountW*i+:CountW];
        end
        give[i] = taking;
      end
    end
  end

  // Splitting: only the end of a grid ever comes here.
  logic [CountW-1:0] smallest, members;
  logic [Sms-1:0]    split;
  logic              quiet;
  always_comb begin
    split    = '0;
    smallest = '1;
    members  = '0;
    quiet    = 1'b1;
    if (left_q != '0 && left_q < 32'(Sms) && !asked_q && !kernel_start_i) begin
      for (int i = Sms - 1; i >= 0; i--) begin
        members = members + CountW'(1);
        quiet   = quiet && idle[i];
        if (starts[i]) begin
          if (enabled_i[i]) begin
            if (members < smallest) smallest = members;
            if (quiet) begin
              split    = '0;
              split[i] = 1'b1;
            end
          end
          members = '0;
          quiet   = 1'b1;
        end
      end
      if (left_q >= 32'(smallest)) split = '0;
    end
  end

  logic [2:0] residue;
  assign residue = adaptive_i ? ctas_i[2:0] & cluster_i : '0;

  assign give_o  = give;
  assign first_o = next_q;
  assign split_o = split;
  assign done_o  = left_q == '0;
  assign form_o  = form_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q  <= '0;
      left_q  <= '0;
      asked_q <= 1'b0;
      form_q  <= '0;
    end else if (kernel_start_i) begin
      next_q  <= '0;
      left_q  <= ctas_i;
      asked_q <= 1'b0;
      form_q  <= residue;
    end else begin
      next_q <= next_q + `FAULT(9, 32'(taken), 32'(taken) - 32'(taken > CountW'(1)));
      left_q <= left_q - 32'(taken);
      if (split != '0) asked_q <= 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i && left_q != '0) begin
      groups_adjacent: assert ((enabled_i & ~lead_i & ~{enabled_i[Sms-2:0], 1'b0}) == '0);
    end
  end
`endif

`ifdef FORMAL
  // Properties of tests/formal/cta_dispatch.sv that need the registers: numbers are given once each,
  // in order, and none is lost.
  logic [31:0]       f_ctas, f_given, f_cluster;
  logic [CountW-1:0] f_sum, f_size;
  logic              f_run, f_all;
  initial f_run = 1'b0;
  always_ff @(posedge clk_i) begin
    f_run <= rst_ni;
    if (!rst_ni) begin
      f_ctas  <= '0;
      f_given <= '0;
      f_cluster <= 32'd1;
    end else if (kernel_start_i) begin
      f_cluster <= adaptive_i ? 32'(cluster_i) + 32'd1 : 32'd1;
      f_ctas  <= ctas_i;
      f_given <= '0;
    end else begin
      f_given <= f_given + 32'(f_sum);
    end
  end
  always_comb begin
    f_sum = '0;
    for (int i = 0; i < Sms; i++) f_sum = f_sum + CountW'(give_o[i]);
  end
  always_comb begin
    f_size = '0;
    f_all  = 1'b1;
    if (rst_ni && f_run) begin
      first_is_given:     assert (first_o == f_given);
      given_in_grid:      assert (f_given <= f_ctas);
      left_is_rest:       assert (left_q == f_ctas - f_given);
      done_when_given:    assert (done_o == (f_given == f_ctas));
      given_at_most_left: assert (32'(f_sum) <= left_q);
      // The residue: less than a cluster, and the rest of the grid is whole clusters.
      residue_in_cluster:  assert (32'(form_o) < f_cluster);
      rest_whole_clusters: assert (((f_ctas - 32'(form_o)) & (f_cluster - 32'd1)) == '0);
      // To all members of a group or to none, and to those that are ready.
      given_to_ready: assert ((give_o & ~ready) == '0);
      for (int i = 1; i < Sms; i++) if (!starts[i]) begin : group_given_whole assert (give_o[i] == give_o[i-1]); end
      // Nothing is given only if no group that is ready is small enough.
      for (int i = Sms - 1; i >= 0; i--) begin
        f_size = f_size + CountW'(1);
        f_all  = f_all && ready[i];
        if (starts[i]) begin
          if (f_all && give_o == '0 && !kernel_start_i) begin : none_given_none_fits
            assert (32'(f_size) > left_q);
          end
          f_size = '0;
          f_all  = 1'b1;
        end
      end
      // One group is split at most, once, and only instead of giving.
      split_one:               assert ((split_o & (split_o - Sms'(1))) == '0);
      split_instead_of_giving: assert (split_o == '0 ||
                                       (give_o == '0 && !asked_q && (split_o & ~(lead_i & idle)) == '0));
    end
  end
`endif
endmodule
