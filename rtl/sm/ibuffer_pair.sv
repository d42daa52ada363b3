// Entries of an instruction buffer of two.
//
// Entries do not move.  A write finds the buffer empty, and puts the first instruction into memory a, the second one
// into memory b.  from_b: the head is the one in b, as the one in a was popped.
//
// Words = 0: a memory beside has both words, and rd*_b_o says which one is the head.  Here are the operands of the
// second one, as they are announced when it becomes the head; rd*_opnd_o has nothing but ctl.
//
// Illegal: as ibuffer.

module ibuffer_pair #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter bit          Words = 1'b1,
  localparam int unsigned WarpW = tandem_pkg::WarpW,
  localparam int unsigned OpndW = tandem_pkg::OpndW,
  localparam int unsigned RestW = tandem_pkg::InstW - 25
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             kernel_start_i,

  input  logic             wr_valid_i,
  input  logic [WarpW-1:0] wr_warp_i,
  input  logic             wr_two_i,
  input  logic [OpndW-1:0] wr_opnd0_i,
  input  logic [RestW-1:0] wr_rest0_i,
  input  logic [OpndW-1:0] wr_opnd1_i,
  input  logic [RestW-1:0] wr_rest1_i,

  // The warps that the ports of pops name, by number and as a bit
  input  logic             pop0_valid_i,
  input  logic [WarpW-1:0] even_i,
  input  logic             pop1_valid_i,
  input  logic [WarpW-1:0] odd_i,
  input  logic [Warps-1:0] pick0_i,
  input  logic [Warps-1:0] pick1_i,

  // Heads that leave and that are new (head_flag)
  input  logic             change_i,
  input  logic [Warps-1:0] gone_i,
  input  logic [Warps-1:0] fresh_i,
  input  logic [Warps-1:0] next_i,

  // Warps with two entries, and those whose head is in memory b
  output logic [Warps-1:0] second_o,
  output logic [Warps-1:0] from_b_o,

  // The write makes a head; a pop leaves one, and which
  output logic             nh0_valid_o,
  output logic             nh1_valid_o,
  output logic [OpndW-1:0] nh1_opnd_o,
  output logic             nh2_valid_o,
  output logic [OpndW-1:0] nh2_opnd_o,

  // Heads
  output logic [OpndW-1:0] rd0_opnd_o,
  output logic [RestW-1:0] rd0_rest_o,
  output logic             rd0_b_o,
  output logic [OpndW-1:0] rd1_opnd_o,
  output logic [RestW-1:0] rd1_rest_o,
  output logic             rd1_b_o
);
  logic [OpndW-1:0] opnd_b_q [Warps];
  always_ff @(posedge clk_i) if (wr_valid_i) opnd_b_q[wr_warp_i] <= wr_opnd1_i;

  logic [2:0] two;
  assign two = {2'b00, wr_two_i};
  head_flag #(.Warps(Warps)) u_second (.new_i(two), .flag_o(second_o), .*);
  head_flag #(.Warps(Warps)) u_from_b (.new_i(3'b110), .flag_o(from_b_o), .*);

  assign nh0_valid_o = wr_valid_i;
  assign nh1_valid_o = pop0_valid_i && (second_o & pick0_i) != '0;
  assign nh2_valid_o = pop1_valid_i && (second_o & pick1_i) != '0;
  assign nh1_opnd_o  = opnd_b_q[even_i];
  assign nh2_opnd_o  = opnd_b_q[odd_i];
  assign rd0_b_o     = (from_b_o & pick0_i) != '0;
  assign rd1_b_o     = (from_b_o & pick1_i) != '0;

  if (Words) begin : g_words
    logic [OpndW-1:0] opnd_a_q [Warps];
    logic [RestW-1:0] rest_a_q [Warps];
    logic [RestW-1:0] rest_b_q [Warps];
    always_ff @(posedge clk_i) begin
      if (wr_valid_i) begin
        opnd_a_q[wr_warp_i] <= wr_opnd0_i;
        rest_a_q[wr_warp_i] <= wr_rest0_i;
        rest_b_q[wr_warp_i] <= wr_rest1_i;
      end
    end
    always_comb begin
      {rd0_opnd_o, rd0_rest_o} = {opnd_a_q[even_i], rest_a_q[even_i]};
      if (rd0_b_o) {rd0_opnd_o, rd0_rest_o} = {nh1_opnd_o, rest_b_q[even_i]};
      {rd1_opnd_o, rd1_rest_o} = {opnd_a_q[odd_i], rest_a_q[odd_i]};
      if (rd1_b_o) {rd1_opnd_o, rd1_rest_o} = {nh2_opnd_o, rest_b_q[odd_i]};
    end
  end else begin : g_ctl
    logic [Warps-1:0] low, high;  // the bits of ctl
    logic [2:0]       new_low, new_high;
    assign new_low  = {nh2_opnd_o[27], nh1_opnd_o[27], wr_opnd0_i[27]};
    assign new_high = {nh2_opnd_o[28], nh1_opnd_o[28], wr_opnd0_i[28]};
    head_flag #(.Warps(Warps)) u_low (.new_i(new_low), .flag_o(low), .*);
    head_flag #(.Warps(Warps)) u_high (.new_i(new_high), .flag_o(high), .*);
    always_comb begin
      {rd0_opnd_o, rd0_rest_o, rd1_opnd_o, rd1_rest_o} = '0;
      rd0_opnd_o[28:27] = {(high & pick0_i) != '0, (low & pick0_i) != '0};
      rd1_opnd_o[28:27] = {(high & pick1_i) != '0, (low & pick1_i) != '0};
    end
    logic unused_rest;
    assign unused_rest = 1'b0 & ^{wr_opnd0_i, wr_rest0_i, wr_rest1_i};
  end
endmodule
