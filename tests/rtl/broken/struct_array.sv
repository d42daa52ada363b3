module struct_arrays(output logic a_o);
  typedef struct packed { logic a; } pair_t;
  pair_t rows [4];
  assign a_o = rows[0].a;
endmodule
