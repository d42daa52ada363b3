module import_;
  import tandem_pkg::*;
endmodule
