// The registered outputs of a front end: what its schedulers issue, warps that end or trap, and why a
// scheduler issues nothing.
//
// A payload is taken only with its valid, and keeps its value without.  While on_i is low there is no
// cause of a stall; the caller grants nothing then.

module frontend_outputs #(
  parameter int unsigned WarpSize = tandem_pkg::WarpSize
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  // Grants of the schedulers: the pick, its instruction, its top of stack
  input  logic                         on_i,
  input  logic                         grant0_i,
  input  logic [tandem_pkg::WarpW-1:0] pick0_i,
  input  logic [tandem_pkg::InstW-1:0] head0_i,
  input  logic [tandem_pkg::PcW-1:0]   pc0_i,
  input  logic [WarpSize-1:0]          mask0_i,
  input  logic                         grant1_i,
  input  logic [tandem_pkg::WarpW-1:0] pick1_i,
  input  logic [tandem_pkg::InstW-1:0] head1_i,
  input  logic [tandem_pkg::PcW-1:0]   pc1_i,
  input  logic [WarpSize-1:0]          mask1_i,
  input  logic [3:0]                   stall0_i,
  input  logic [3:0]                   stall1_i,

  // Warps that end or trap
  input  logic                         done_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] done_warp_i,
  input  logic                         trap_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] trap_warp_i,

  output logic                         iss0_valid_o,
  output tandem_pkg::issued_t          iss0_o,
  output logic [WarpSize-1:0]          iss0_mask_o,
  output logic                         iss1_valid_o,
  output tandem_pkg::issued_t          iss1_o,
  output logic [WarpSize-1:0]          iss1_mask_o,
  output logic                         done_valid_o,
  output logic [tandem_pkg::WarpW-1:0] done_warp_o,
  output logic                         trap_valid_o,
  output logic [tandem_pkg::WarpW-1:0] trap_warp_o,
  output logic [3:0]                   stall0_o,
  output logic [3:0]                   stall1_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned InstW = tandem_pkg::InstW;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      {iss0_valid_o, iss1_valid_o, done_valid_o, trap_valid_o}
          <= {grant0_i, grant1_i, done_valid_i, trap_valid_i};
      if (on_i) {stall0_o, stall1_o} <= {stall0_i, stall1_i};
      else      {stall0_o, stall1_o} <= '0;
    end else begin
      {iss0_valid_o, iss1_valid_o, done_valid_o, trap_valid_o, stall0_o, stall1_o} <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (grant0_i) begin
      iss0_o      <= {pc0_i, pick0_i, head0_i[InstW-WarpW-1:0]};
      iss0_mask_o <= mask0_i;
    end
    if (grant1_i) begin
      iss1_o      <= {pc1_i, pick1_i, head1_i[InstW-WarpW-1:0]};
      iss1_mask_o <= `FAULT(8, mask1_i, mask1_i & ({WarpSize{1'b1}} >> 1));
    end
    if (done_valid_i) done_warp_o <= done_warp_i;
    if (trap_valid_i) trap_warp_o <= trap_warp_i;
  end

  // The warp field of a word in memory is 0.
  logic unused_head;
  assign unused_head = 1'b0 & ^{head0_i[InstW-1-:WarpW], head1_i[InstW-1-:WarpW]};
endmodule
