.source "k.s"
.kernel "k"
.regs 4
.shared 0
.local 0
.params 0
  exit
.end
