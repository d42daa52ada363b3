// Pair of communication buffers of a link: the producer writes one of them while the consumer
// reads the other; when both have finished, the buffers change sides (docs/hardware/spu_units.md).
//
// Every input is registered first; below, "input" is that copy.  So read data come two cycles
// after the request, and a done two cycles after the post that completes it.  An access uses the
// sides as they are before the hand-over of its cycle.  kernel_start wins over all inputs of its
// cycle, leaves the buffers' words alone, and takes no notice of inputs that come a cycle later.
//
// The sides and the hand-over are comm_sides, the buffers comm_store.
//
// Illegal: mode 3; an access or a post by a side that waits (modes 0, 1); a read before the first
// hand-over; a post in mode 2; a swap in modes 0, 1.

module comm_pair #(
  parameter int unsigned Words = 1024,  // of a buffer: a power of two from 8 to 256 times Banks
  parameter int unsigned Banks = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                kernel_start_i,
  input  logic [1:0]          mode_i,    // 0 rendezvous, 1 decoupled, 2 global; constant

  // Producer: the row of bank b in bits 8b+7 to 8b, its word in bits 32b+31 to 32b
  input  logic                p_valid_i,
  input  logic [Banks-1:0]    p_bank_i,
  input  logic [8*Banks-1:0]  p_row_i,
  input  logic [32*Banks-1:0] p_data_i,
  input  logic                p_post_i,  // its tile is complete
  output logic                p_done_o,  // it may write the next one

  // Consumer
  input  logic                c_valid_i,
  input  logic [Banks-1:0]    c_bank_i,
  input  logic [8*Banks-1:0]  c_row_i,
  output logic                c_rsp_o,
  output logic [32*Banks-1:0] c_data_o,  // 0 of banks that were not asked for
  input  logic                c_post_i,  // it has finished its tile and wants the next
  output logic                c_done_o,  // it may read it

  // From spu_global, in mode 2
  input  logic                swap_i,

`ifdef FORMAL
  // A word that is followed, as both buffers have it
  input  logic                watch_bank_i,  // of the two lowest
  input  logic [7:0]          watch_row_i,
  output logic [31:0]         watch0_o,
  output logic [31:0]         watch1_o,
  output logic                w_o,
  output logic                r_o,
  output logic                some_o,
  output logic                p_wait_o,
  output logic                c_wait_o,
  output logic [1:0]          full_o,
  output logic                hold_o,
`endif

  output logic                quiet_o
);
  localparam int unsigned Rows = Words / Banks;
  localparam int unsigned RowW = $clog2(Rows);

  // The inputs' copies
  logic                  kernel_start_q, p_valid_q, p_post_q, c_valid_q, c_post_q, swap_q;
  logic [1:0]            mode_q;
  logic [Banks-1:0]      p_bank_q, c_bank_q;
  logic [RowW*Banks-1:0] p_row_q, c_row_q;
  logic [32*Banks-1:0]   p_data_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kernel_start_q <= 1'b0;
      mode_q         <= '0;
      p_valid_q      <= 1'b0;
      p_post_q       <= 1'b0;
      c_valid_q      <= 1'b0;
      c_post_q       <= 1'b0;
      swap_q         <= 1'b0;
    end else begin
      kernel_start_q <= kernel_start_i;
      mode_q         <= mode_i;
      p_valid_q      <= p_valid_i;
      p_post_q       <= p_post_i;
      c_valid_q      <= c_valid_i;
      c_post_q       <= c_post_i;
      swap_q         <= swap_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (p_valid_i) begin
      p_bank_q <= p_bank_i;
      p_data_q <= p_data_i;
      for (int b = 0; b < Banks; b++) p_row_q[RowW*b +: RowW] <= p_row_i[8*b +: RowW];
    end
    if (c_valid_i) begin
      c_bank_q <= c_bank_i;
      for (int b = 0; b < Banks; b++) c_row_q[RowW*b +: RowW] <= c_row_i[8*b +: RowW];
    end
  end
  // A row's byte has more bits than a small buffer has rows.
  logic unused_ok;
  assign unused_ok = ^{p_row_i, c_row_i};

  logic w, r, some, p_wait, c_wait, p_done, c_done, c_rsp;
  comm_sides u_sides (
    .clk_i,
    .rst_ni,
    .kernel_start_i(kernel_start_q),
    .mode_i        (mode_q),
    .p_post_i      (p_post_q),
    .c_post_i      (c_post_q),
    .swap_i        (swap_q),
    .p_done_o      (p_done),
    .c_done_o      (c_done),
    .w_o           (w),
    .r_o           (r),
    .some_o        (some),
    .p_wait_o      (p_wait),
`ifdef FORMAL
    .full_o,
    .hold_o,
`endif
    .c_wait_o      (c_wait)
  );

  logic p_takes, c_takes;
  assign p_takes = p_valid_q & ~kernel_start_q;
  assign c_takes = c_valid_q & ~kernel_start_q;
  comm_store #(
    .Rows (Rows),
    .Banks(Banks)
  ) u_store (
    .clk_i,
    .rst_ni,
    .w_i        (w),
    .r_i        (r),
    .p_takes_i  (p_takes),
    .p_bank_i   (p_bank_q),
    .p_row_i    (p_row_q),
    .p_data_i   (p_data_q),
    .c_takes_i  (c_takes),
    .c_bank_i   (c_bank_q),
    .c_row_i    (c_row_q),
`ifdef FORMAL
    .watch_bank_i,
    .watch_row_i(watch_row_i[RowW-1:0]),
    .watch0_o,
    .watch1_o,
`endif
    .c_rsp_o    (c_rsp),
    .c_data_o
  );
  assign p_done_o = p_done;
  assign c_done_o = c_done;
  assign c_rsp_o  = c_rsp;

  assign quiet_o = ~(kernel_start_q | p_valid_q | p_post_q | c_valid_q | c_post_q | swap_q |
                     p_done | c_done | c_rsp);

`ifdef FORMAL
  assign w_o      = w;
  assign r_o      = r;
  assign some_o   = some;
  assign p_wait_o = p_wait;
  assign c_wait_o = c_wait;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_q) begin
      if (mode_q == tandem_pkg::LinkGlobal) begin
        global_has_no_posts: assert (!p_post_q && !c_post_q);
      end else begin
        mode_known:             assert (!swap_q && mode_q <= tandem_pkg::LinkDecoupled);
        producer_waits_quietly: assert (!p_wait || (!p_valid_q && !p_post_q));
        consumer_waits_quietly: assert (!c_wait || (!c_valid_q && !c_post_q));
      end
      read_has_data: assert (!c_valid_q || some);
      // owner: nobody reads what is being written.
      sides_apart: assert (!p_valid_q || !c_valid_q || w != r);
    end
  end
`endif
endmodule
