// Cover points of comm_pair and its comm_sides (docs/models/coverage.md).
module comm_pair_cover (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        kernel_start,
  input logic [1:0]  mode,
  input logic        p_post,
  input logic        c_post,
  input logic        swap,
  input logic        p_valid,
  input logic        c_valid,
  input logic [31:0] p_bank,
  input logic [31:0] c_bank,
  input logic        w, r, some, p_wait, c_wait, p_gets, c_gets, hold, releases,
  input logic [1:0]  full
);
  logic runs, meets, buffers;
  assign runs    = rst_ni && !kernel_start;
  assign meets   = runs && mode == 2'd0;
  assign buffers = runs && mode == 2'd1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (meets) begin
      meet_producer_first:   cover (p_wait && c_post);
      meet_consumer_first:   cover (c_wait && p_post);
      meet_at_once:          cover (p_post && c_post);
    end
    if (buffers) begin
      producer_waits:        cover (p_post && !p_gets);
      consumer_waits:        cover (c_post && !c_gets);
      producer_goes_on:      cover (p_post && p_gets);
      consumer_goes_on:      cover (c_post && c_gets);
      release_frees_producer: cover (p_wait && p_gets && releases);
      post_feeds_consumer:   cover (c_wait && c_gets && p_post);
      both_post:             cover (p_post && c_post);
      both_buffers_full:     cover (full == 2'd3);
      consumer_holds_other:  cover (hold && r != w);
      first_request:         cover (c_post && !hold);
    end
    if (runs) begin
      global_swap:           cover (mode == 2'd2 && swap);
      global_swap_and_write: cover (mode == 2'd2 && swap && p_valid);
      write_and_read:        cover (p_valid && c_valid);
      write_to_every_bank:   cover (p_valid && p_bank == '1);
      write_to_no_bank:      cover (p_valid && p_bank == '0);
      read_of_every_bank:    cover (c_valid && c_bank == '1);
      read_of_no_bank:       cover (c_valid && c_bank == '0);
      write_before_any_tile: cover (p_valid && !some);
    end
    if (rst_ni) begin
      kernel_starts_waiting: cover (kernel_start && (p_wait || c_wait));
      kernel_starts_full:    cover (kernel_start && full != '0);
      kernel_start_and_post: cover (kernel_start && (p_post || c_post));
      kernel_start_and_access: cover (kernel_start && (p_valid || c_valid));
    end
  end
  for (genvar b = 0; b < 2; b++) begin : g_buffer
    for (genvar m = 0; m < 3; m++) begin : g_mode
      always_ff @(posedge clk_i or negedge rst_ni) if (runs && mode == 2'(m)) begin
        is_written: cover (p_valid && w == 1'(b));
        is_read:    cover (c_valid && r == 1'(b));
      end
    end
  end
endmodule
bind comm_pair comm_pair_cover u_cover (
  .clk_i, .rst_ni, .kernel_start(kernel_start_q), .mode(mode_q), .p_post(p_post_q), .c_post(c_post_q),
  .swap(swap_q), .p_valid(p_valid_q), .c_valid(c_valid_q), .p_bank(p_bank_q), .c_bank(c_bank_q), .w, .r, .some,
  .p_wait, .c_wait, .p_gets(u_sides.p_gets), .c_gets(u_sides.c_gets), .hold(u_sides.hold_q),
  .releases(u_sides.releases), .full(u_sides.full_q)
);
