// Registers and predicates that an instruction reads and writes, as sets; empty without valid.

module operand_sets (
  input  logic                         valid_i,
  input  tandem_pkg::opnd_t            opnd_i,
  output logic [tandem_pkg::SetW-1:0]  reads_o,
  output logic [tandem_pkg::SetW-1:0]  writes_o,
  output logic                         exit_o,  // it is an exit
  output logic                         none_o   // it uses no pipeline
);
  logic unused_not;  // a predicate is read whether negated or not
  assign unused_not = 1'b0 & opnd_i.guard_not;

  always_comb begin
    reads_o  = '0;
    writes_o = '0;
    if (valid_i) begin
      reads_o  = tandem_pkg::read_set(opnd_i.srcs, {opnd_i.dec.s3_n, opnd_i.dec.s2_n, opnd_i.dec.s1_n},
                                      {opnd_i.dec.p3, opnd_i.dec.p2}, opnd_i.guard);
      writes_o = tandem_pkg::write_set(opnd_i.dst, opnd_i.dec.d_n, opnd_i.dec.d_p);
    end
  end
  assign exit_o = opnd_i.dec.ctl == tandem_pkg::CtlExit;
  assign none_o = opnd_i.dec.pipe == tandem_pkg::PipeNone;
endmodule
