.source "k.cl.ptx"
.kernel "k"
.regs 22
.shared 0
.local 0
.param "a", 4, align 4, at 0, ptr global
.param "n", 4, align 4, at 4
.params 8
.loc 3
  movs r2, tid.x
  movs r0, param+4
  isetp.ge.s p0, r2, r0
  @p0 bra L9, rpc L9
  shl r3, r2, #4
  st.global.32.u [r3], r2
L9:
  exit
.end
