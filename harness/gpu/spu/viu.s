; The program of virtual interface units that are SMs (docs/hardware/spu.md).  It spills tiles for a
; later pass, or restores those of an earlier one, in the place of the kernel's code.
;
; This text is a kernel twice, "spill" and "restore"; viu.c gives labels an end of their own for `?`.
; A line with a mark is there with that alone: "; spill" and "; restore" are the kernels,
; "; point" is spu.sync=point, "; global" is spu.sync=global.
;
; All threads of the CTA move a tile together, four words a thread in a turn of the loop.
;
;   r0  bytes from a thread's word to its next     r4  byte of the word in hand
;   r1  byte of the thread's first word            r5  address that it is loaded from
;   r2  bytes of a tile                            r6  address that it is stored to
;   r3  result of bsync, and others                r8 to r11  words; p0 to p3: there is one
;
; bsync: the block waits at once for its own tile (16), for a spilled one (32) or for all blocks (64).
; regspill changes with the synchronisation that follows.

.kernel "spill" ; spill
.kernel "restore" ; restore
.regs 12
  movs r0, ntid.y
  movs r1, tid.z
  movs r2, tid.y
  mad r1, r1, r0, r2
  movs r3, ntid.x
  movs r2, tid.x
  mad r1, r1, r3, r2 ; the number of the thread
  mul r0, r0, r3
  movs r3, ntid.z
  mul r0, r0, r3 ; threads
  shl r1, r1, #2
  shl r0, r0, #2
  movs r2, regface
next?:
  movs r3, reglast
  isetp.ne.u p0, r3, #0
  @p0 bra end?, rpc end?
  bsync r3, #32 ; restore ; point
  mov r3, r3 ; restore ; point
  movs r6, regspill ; spill
  iadd r6, r6, r1 ; spill
  movs r5, regspill ; restore
  iadd r5, r5, r1 ; restore
  bsync r3, #16 ; spill ; point
  bsync r3, #64 ; spill ; global
  mov r3, r3 ; spill
  mov r4, r1
  movi r5, #0x1400000 ; spill: the own buffer
  iadd r5, r5, r1 ; spill
  movi r6, #0x1400000 ; restore
  iadd r6, r6, r1 ; restore
copy?:
  isetp.lt.u p0, r4, r2
  iadd r4, r4, r0
  @p0 ld.shared.32 r8, [r5] ; spill
  @p0 ld.global.32 r8, [r5] ; restore
  iadd r5, r5, r0
  isetp.lt.u p1, r4, r2
  iadd r4, r4, r0
  @p1 ld.shared.32 r9, [r5] ; spill
  @p1 ld.global.32 r9, [r5] ; restore
  iadd r5, r5, r0
  isetp.lt.u p2, r4, r2
  iadd r4, r4, r0
  @p2 ld.shared.32 r10, [r5] ; spill
  @p2 ld.global.32 r10, [r5] ; restore
  iadd r5, r5, r0
  isetp.lt.u p3, r4, r2
  iadd r4, r4, r0
  @p3 ld.shared.32 r11, [r5] ; spill
  @p3 ld.global.32 r11, [r5] ; restore
  iadd r5, r5, r0
  @p0 st.global.32 [r6], r8 ; spill
  @p0 st.shared.32 [r6], r8 ; restore
  iadd r6, r6, r0
  @p1 st.global.32 [r6], r9 ; spill
  @p1 st.shared.32 [r6], r9 ; restore
  iadd r6, r6, r0
  @p2 st.global.32 [r6], r10 ; spill
  @p2 st.shared.32 [r6], r10 ; restore
  iadd r6, r6, r0
  @p3 st.global.32 [r6], r11 ; spill
  @p3 st.shared.32 [r6], r11 ; restore
  iadd r6, r6, r0
  isetp.lt.u p0, r4, r2
  @p0 bra copy?, rpc copied?
copied?:
  bsync r3, #32 ; spill ; point
  mov r3, r3 ; spill ; point
  bsync r3, #16 ; restore ; point
  bsync r3, #64 ; restore ; global
  mov r3, r3 ; restore
  bra next?, rpc none
end?:
  exit
.end
