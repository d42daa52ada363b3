interface link;
  logic a;
endinterface
