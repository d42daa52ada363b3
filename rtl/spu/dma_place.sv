// Where the sectors of a piece are in the CB: sector s is the octet octet + s - first, eight words
// of which the banks are 8 * (octet mod 4) on and the row is octet div 4.  Combinational.

module dma_place (
  input  logic [9:0]   octet_i,    // of the first sector
  input  logic [1:0]   first_i,
  input  logic [3:0]   sectors_i,
  output logic [3:0]   groups_o,   // of eight banks
  output logic [31:0]  bank_o,
  output logic [255:0] row_o       // of bank b in bits 8b+7 to 8b; 0 of banks without a word
);
  logic [1:0] turn;  // group g has sector g + turn
  assign turn = first_i - octet_i[1:0];

  logic [7:0] row;
  always_comb begin
    groups_o = '0;
    bank_o   = '0;
    row_o    = '0;
    row      = '0;
    for (int g = 0; g < 4; g++) begin
      groups_o[g] = sectors_i[2'(g) + turn];
      row         = octet_i[9:2] + 8'(2'(g) < octet_i[1:0]);
      if (groups_o[g]) begin
        bank_o[8*g +: 8]  = '1;
        row_o[64*g +: 64] = {8{row}};
      end
    end
  end
endmodule
