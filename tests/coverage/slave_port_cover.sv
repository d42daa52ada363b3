// Cover points of slave_port (docs/models/coverage.md): every packet in every slot, the queue of resolves, and the
// directions of both sides.
module slave_port_cover #(
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned Warps = 48,
  parameter int unsigned Delay = 2,
  parameter int unsigned Depth = Delay + 4
) (
  input logic                   inst0,
  input logic                   inst1,
  input logic                   mask,
  input logic                   push,
  input logic                   bypass,
  input logic                   differs,
  input logic [Warps-1:0]       diverged_q,
  input logic [$clog2(Depth):0] count_q,
  input logic                   ctrl_q,
`include "csim/ports/slave_port_ports.svh"
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      even_in_slot_0:          cover (inst0 && !d0_i[58]);
      odd_in_slot_0:           cover (inst0 && d0_i[58]);
      even_then_odd:           cover (inst0 && inst1 && !d0_i[58]);
      odd_then_even:           cover (inst0 && inst1 && d0_i[58]);
      mask_alone:              cover (mask && !inst0);
      mask_beside_even:        cover (mask && inst0 && !d0_i[58]);
      mask_beside_odd:         cover (mask && inst0 && d0_i[58]);
      no_packet:               cover (slave_i && !d0_valid_i && !d1_valid_i);
      park_packet:             cover (set_valid_o);
      roll_call_in_slot_0:     cover (called0_valid_o && !called1_valid_o);
      roll_call_in_both:       cover (called0_valid_o && called1_valid_o);
      end_of_roll:             cover (end_valid_o);
      roll_call_of_others:     cover (!listens_i && d0_valid_i && d0_i[57:54] == 4'd15);
      mask_finds_it_waiting:   cover (mask && !bypass && !push);
      mask_as_it_comes:        cover (mask && bypass && push);
      mask_while_another_comes: cover (mask && !bypass && push);
      queue_full:              cover (count_q == ($clog2(Depth) + 1)'(Depth));
      resolve_alone:           cover (!slave_i && resolve_valid_i);
      asks_to_ungroup:         cover (slave_i && ctrl_q);
      asks_twice_in_a_row:     cover (ctrl_q && differs);
      two_diverged:            cover ((diverged_q & (diverged_q - 48'd1)) != '0);
      falls_diverged:          cover (!slave_i && diverged_q != '0);
      roll_differs:            cover (!slave_i && listens_i && park_differs_i);
      ack_and_credit:          cover (slave_i && wb3_valid_i && mem_credit_i);
      ack_alone:               cover (slave_i && wb3_valid_i && !mem_credit_i);
      credit_alone:            cover (slave_i && !wb3_valid_i && mem_credit_i);
      result_when_no_slave:    cover (!slave_i && wb3_valid_i);
    end
  end
  for (genvar a = 1; a < 4; a++) begin : g_own
    for (genvar b = 1; b < 4; b++) begin : g_master
      always_ff @(posedge clk_i or negedge rst_ni)
        if (rst_ni) directions: cover (mask && res_dirs_i == 2'(a) && d1_i[50:49] == 2'(b));
    end
    always_ff @(posedge clk_i or negedge rst_ni)
      if (rst_ni) ack_of_size: cover (slave_i && wb3_valid_i && wb3_size_i == 2'(a));
  end
  for (genvar i = 0; i <= Depth; i++) begin : g_queue
    always_ff @(posedge clk_i or negedge rst_ni)
      if (rst_ni) holds: cover (slave_i && count_q == ($clog2(Depth) + 1)'(i));
  end
endmodule
bind slave_port slave_port_cover #(.WarpSize(WarpSize), .Delay(Delay)) u_cover (.*);
