module returns(input logic a_i, output logic a_o);
  function automatic logic f(input logic a);
    return ~a;
  endfunction
  assign a_o = f(a_i);
endmodule
