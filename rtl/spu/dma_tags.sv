// Requests of a DMA engine that are under way: a tag has the piece of its request, from the cycle
// after it is taken until its answer has come.  Tags whose words are being read from the CB wait
// in a queue, in order.
//
// A piece takes the lowest tag that is free before the cycle.  kernel_start frees all tags.
//
// Illegal: take when no tag is free; an answer for a tag that is not busy or is in the queue; pop
// of an empty queue; more than four tags in the queue.

module dma_tags #(
  parameter int unsigned Tags = 16  // a power of two up to 16
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        kernel_start_i,
  input  logic [4:0]  outstanding_i,  // tags in use: 0 to outstanding - 1

  // A piece takes a tag
  input  logic        take_i,
  input  logic        reads_cb_i,     // and enters the queue
  input  logic [31:0] segment_i,
  input  logic [1:0]  first_i,
  input  logic [3:0]  sectors_i,
  input  logic [9:0]  octet_i,
  output logic        free_o,
  output logic [3:0]  tag_o,
  output logic        busy_o,         // any tag is

  // Its words have been read
  input  logic        pop_i,

  // Its answer
  input  logic        rsp_i,
  input  logic [3:0]  rsp_tag_i,

  // The piece of the queue's first tag, or of rsp_tag
  input  logic        queued_i,
  output logic [3:0]  done_tag_o,
  output logic [31:0] done_segment_o,
  output logic [1:0]  done_first_o,
  output logic [3:0]  done_sectors_o,
  output logic [9:0]  done_octet_o
);
  localparam int unsigned TagW = $clog2(Tags);

  logic [Tags-1:0] busy_q  /*verilator public_flat_rd*/;
  logic [31:0]     tag_addr_q [Tags]  /*verilator public_flat_rd*/;     // of the segment
  logic [9:0]      tag_octet_q [Tags]  /*verilator public_flat_rd*/;
  logic [1:0]      tag_first_q [Tags]  /*verilator public_flat_rd*/;
  logic [3:0]      tag_sectors_q [Tags]  /*verilator public_flat_rd*/;
  logic [TagW-1:0] queue_q [4];
  logic [2:0]      head_q, tail_q;

  logic [Tags-1:0] free, taken, freed;
  logic [TagW-1:0] tag;
  logic            queues;
  always_comb begin
    free = ~busy_q & ~({Tags{1'b1}} << outstanding_i);
    tag  = '0;
    for (int i = Tags - 1; i >= 0; i--) if (free[i]) tag = TagW'(i);
  end
  assign queues = take_i & reads_cb_i;
  assign free_o = free != '0;
  assign tag_o  = 4'(tag);
  assign taken  = free & (~free + Tags'(1)) & {Tags{take_i}};
  assign freed  = Tags'(rsp_i) << rsp_tag_i;
  assign busy_o = busy_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      head_q <= '0;
      tail_q <= '0;
    end else if (kernel_start_i) begin
      busy_q <= '0;
      head_q <= '0;
      tail_q <= '0;
    end else begin
      busy_q <= (busy_q & ~freed) | taken;
      head_q <= head_q + 3'(pop_i);
      tail_q <= tail_q + 3'(queues);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      tag_addr_q[tag]      <= segment_i;
      tag_octet_q[tag]     <= octet_i;
      tag_first_q[tag]     <= first_i;
      tag_sectors_q[tag]   <= sectors_i;
      queue_q[tail_q[1:0]] <= tag;
    end
  end

  logic [TagW-1:0] done_tag;
  assign done_tag       = queued_i ? queue_q[head_q[1:0]] : rsp_tag_i[TagW-1:0];
  assign done_tag_o     = 4'(done_tag);
  assign done_segment_o = tag_addr_q[done_tag];
  assign done_first_o   = tag_first_q[done_tag];
  assign done_sectors_o = tag_sectors_q[done_tag];
  assign done_octet_o   = tag_octet_q[done_tag];

`ifndef SYNTHESIS
  logic [2:0]      queued;
  logic [Tags-1:0] in_queue;
  assign queued = tail_q - head_q;
  always_comb begin
    in_queue = '0;
    for (int i = 0; i < 4; i++)
      if (3'(2'(i) - head_q[1:0]) < queued) in_queue[queue_q[i]] = 1'b1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      take_free: assert (!take_i || free_o);
      if (rsp_i) answer_expected: assert ((busy_q & ~in_queue & freed) != '0);
      if (pop_i) pop_queued: assert (queued != '0);
      queue_in_size: assert (queued <= 3'd4);
      if (take_i) take_counted: assert (outstanding_i != '0);
    end
  end
`endif
endmodule
