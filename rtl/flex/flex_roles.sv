// Roles of the members of a Flex cluster by the scheme, fixed by position (docs/hardware/flex.md, groups):
// Base has none that lends.  Bal has trios, of which the middle member lends a bank to either side.  All
// others have pairs.  Combinational.

module flex_roles #(
  parameter int unsigned Members = 6  // 2 or 6
) (
  input  logic [2:0]           mode_i,
  input  logic                 own_memory_i,  // Occ and Bal do not lend shared memory and L1D

  output logic [Members-1:0]   active_o,
  output logic [2*Members-1:0] lend_o,
  output logic [2*Members-1:0] from_o,
  output logic [7*Members-1:0] power_o
);
  // Members that lend; neighbours that are borrowed from, 1 the left one, 2 the right one.  Member 0 is the
  // rightmost field.
  localparam logic [5:0]  PairLenders = 6'b011010;
  localparam logic [5:0]  TrioLenders = 6'b010010;
  localparam logic [11:0] PairFrom    = {2'd1, 2'd0, 2'd0, 2'd2, 2'd0, 2'd2};
  localparam logic [11:0] TrioFrom    = {2'd1, 2'd0, 2'd2, 2'd1, 2'd0, 2'd2};

  // Domains of a member: fe, ctx, rf, simd, mem, lsu, misc from bit 0 on.
  localparam logic [6:0] All  = 7'b1111111;
  localparam logic [6:0] Ctx  = 7'b0000010;
  localparam logic [6:0] Rf   = 7'b0000100;
  localparam logic [6:0] Simd = 7'b0001000;
  localparam logic [6:0] Mem  = 7'b0010000;

  logic [Members-1:0]   lenders;
  logic [2*Members-1:0] from;
  logic [6:0]           lent;  // domains of a lender that are on
  always_comb begin
    lenders = Members'(PairLenders);
    from    = (2 * Members)'(PairFrom);
    lent    = Rf | Mem;
    case (mode_i)
      tandem_pkg::FlexBase: begin
        lenders = '0;
        from    = '0;
      end
      tandem_pkg::FlexOcc:      lent = Ctx | Rf | (own_memory_i ? 7'd0 : Mem);
      tandem_pkg::FlexBal: begin
        lenders = Members'(TrioLenders);
        from    = (2 * Members)'(TrioFrom);
        lent    = Ctx | Rf | (own_memory_i ? 7'd0 : Mem);
      end
      tandem_pkg::FlexBigsm:    lent = Rf | Simd | Mem;
      tandem_pkg::FlexBigsmOcc: lent = Ctx | Rf | Simd | Mem;
      default:                  lent = All;
    endcase
  end

  always_comb begin
    active_o = ~lenders;
    from_o   = from;
    for (int m = 0; m < Members; m++) begin
      lend_o[2*m+:2]  = {2{lenders[m]}};
      power_o[7*m+:7] = lenders[m] ? lent : All;
    end
  end
endmodule
