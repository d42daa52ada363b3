__attribute__((global)) void f(int *a) { *a = undeclared; }
