.source "k.s"
.kernel "k"
.regs 4
.shared 0
.local 0
.param "a", 4, align 4, at 12002
.params 8
  exit
.end
