.source "k.s"
.kernel "k"
.regs 4
.local 524288
.params 0
  exit
.end
