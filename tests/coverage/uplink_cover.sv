// Cover points of uplink (docs/models/coverage.md).
module uplink_cover #(
  parameter int unsigned Depth = 64
) (
  input logic [$clog2(Depth+1)-1:0] backlog_q,
  input logic                       ctrl_q,
  input logic                       credit_q,
  input logic                       pop,
  input logic [$clog2(Depth)-1:0]   head_q,
  input logic [$clog2(Depth)-1:0]   tail_q,
  input logic                       u0_valid,
  input logic                       u1_valid,
`include "csim/ports/uplink_ports.svh"
);
  logic waits, full;
  assign waits = backlog_q != '0;
  assign full  = backlog_q == $clog2(Depth + 1)'(Depth);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      // Priority: who leaves, who waits
      ctrl_alone_leaves:        cover (ctrl_q && !waits && !credit_q);
      ctrl_before_ack:          cover (ctrl_q && waits && !credit_q);
      ctrl_and_credit_leave:    cover (ctrl_q && !waits && credit_q);
      ctrl_and_credit_before_ack: cover (ctrl_q && waits && credit_q);
      ack_alone_leaves:         cover (!ctrl_q && pop && !credit_q);
      ack_and_credit_leave:     cover (!ctrl_q && pop && credit_q);
      credit_alone_leaves:      cover (!ctrl_q && !waits && credit_q);
      nothing_leaves:           cover (!ctrl_q && !waits && !credit_q);
      // Packets that come
      all_three_come:           cover (ctrl_valid_i && ack_valid_i && credit_valid_i);
      ctrl_and_ack_come:        cover (ctrl_valid_i && ack_valid_i && !credit_valid_i);
      ctrl_and_credit_come:     cover (ctrl_valid_i && !ack_valid_i && credit_valid_i);
      ack_and_credit_come:      cover (!ctrl_valid_i && ack_valid_i && credit_valid_i);
      ctrl_comes_alone:         cover (ctrl_valid_i && !ack_valid_i && !credit_valid_i);
      ack_comes_alone:          cover (!ctrl_valid_i && ack_valid_i && !credit_valid_i);
      credit_comes_alone:       cover (!ctrl_valid_i && !ack_valid_i && credit_valid_i);
      ctrl_in_a_row:            cover (ctrl_valid_i && ctrl_q);
      parked:                   cover (ctrl_valid_i && !ctrl_type_i);
      ungroup:                  cover (ctrl_valid_i && ctrl_type_i);
      // The queue
      queue_full:               cover (full);
      ack_into_full_queue:      cover (full && ack_valid_i && pop);
      full_queue_kept_waiting:  cover (full && ctrl_q);
      head_wraps_around:        cover (pop && head_q == '1);
      tail_wraps_around:        cover (ack_valid_i && tail_q == '1);
      // Packets at the master
      parked_arrives:           cover (ctrl_valid_o && !ctrl_type_o);
      ungroup_arrives:          cover (ctrl_valid_o && ctrl_type_o);
      credit_arrives:           cover (credit_valid_o);
      both_slots_arrive:        cover (u0_valid && u1_valid);
      kernel_starts:            cover (kernel_start_i);
    end
  end
  for (genvar i = 1; i < 4; i++) begin : g_size
    always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni) begin
      ack_comes:   cover (ack_valid_i && ack_size_i == 2'(i));
      ack_arrives: cover (ack_valid_o && ack_size_o == 2'(i));
    end
  end
endmodule
bind uplink uplink_cover #(.Depth(Depth)) u_cover (.*);
