// Link from the master of a buddy cluster to one of its slaves: two packets of 64 bits a core cycle
// (docs/hardware/buddy_links.md), D = ceil((Hops + 1) / 2) core cycles from input to output.

module downlink #(
  parameter int unsigned Hops = 1
) (
  input  logic                         clk_i,
  input  logic                         noc_clk_i,  // twice the frequency of clk_i, aligned
  input  logic                         rst_ni,
  // From the master: registers
  input  logic                         p0_valid_i,
  input  logic [tandem_pkg::InstW-1:0] p0_i,
  input  logic                         p1_valid_i,
  input  logic [tandem_pkg::InstW-1:0] p1_i,

  // At the slave: registers
  output logic                         d0_valid_o,
  output logic [tandem_pkg::InstW-1:0] d0_o,
  output logic                         d1_valid_o,
  output logic [tandem_pkg::InstW-1:0] d1_o
);
  link #(
    .Width(tandem_pkg::InstW),
    .Hops (Hops)
  ) u_link (
    .clk_i,
    .noc_clk_i,
    .rst_ni,
    .p0_valid_i,
    .p0_i,
    .p1_valid_i,
    .p1_i,
    .d0_valid_o,
    .d0_o,
    .d1_valid_o,
    .d1_o
  );
endmodule
