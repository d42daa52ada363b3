// Registers and predicates that an instruction reads and writes, as sets; empty without valid.

module operand_sets (
  input  logic                         valid_i,
  input  logic [tandem_pkg::OpndW-1:0] opnd_i,
  output logic [tandem_pkg::SetW-1:0]  reads_o,
  output logic [tandem_pkg::SetW-1:0]  writes_o,
  output logic                         exit_o,  // it is an exit
  output logic                         none_o   // it uses no pipeline
);
  tandem_pkg::opnd_t opnd;
  logic              unused_not;  // a predicate is read whether negated or not
  assign opnd       = opnd_i;
  assign unused_not = 1'b0 & opnd.guard_not;

  always_comb begin
    reads_o  = '0;
    writes_o = '0;
    if (valid_i) begin
      reads_o  = tandem_pkg::read_set(opnd.srcs, {opnd.dec.s3_n, opnd.dec.s2_n, opnd.dec.s1_n},
                                      {opnd.dec.p3, opnd.dec.p2}, opnd.guard);
      writes_o = tandem_pkg::write_set(opnd.dst, opnd.dec.d_n, opnd.dec.d_p);
    end
  end
  assign exit_o = opnd.dec.ctl == tandem_pkg::CtlExit;
  assign none_o = opnd.dec.pipe == tandem_pkg::PipeNone;
endmodule
