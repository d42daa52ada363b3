#!/bin/sh
# The inputs of test_cli that a tree cannot have or should not: made in the current folder.
set -eu
echo '__kernel void k(__global int *a) { a[0] = undeclared; }' >bad.cl
echo '__kernel void race(__global int *a) { a[0] = get_global_id(0); }' >race.cl
printf 'kernel void k(global int *a) { local volatile int s[1]; s[0] = get_local_id(0);\n' >races.cl
echo 'if (get_local_id(0) == 70) a[0] = s[0]; }' >>races.cl
printf '#include "head.h"\nkernel void k(global number *a) { *a = 1; }\n' >head.cl
echo 'typedef float number;' >head.h
printf 0123456789abcdef >a.bin
echo '.source "k.s"' >empty.s
printf 'program: caf\351.cl\n' >latin.yaml
cp k.s "$(printf 'caf\351.s')"

# many HEAD NUMBER LINES: the head, then for each number the lines, with it for %d.
many() {
  printf '%b' "$1"
  seq "$2" | awk -v lines="$3" '{ printf lines "\n", $1 }'
}
ptx='.version 3.2\n.target sm_20\n.address_size 32\n'
many "$ptx.entry k() { foo.u32 %r1; }\n" 0 '' >bad.ptx
many "$ptx" 4097 '.visible .entry k%d() { ret; }' >many.ptx
many "$ptx" 8193 '.func f%d() { ret; }' >calls.ptx
many '.source "k.s"\n' 4097 '.kernel "k%d"\n.regs 4\n.params 0\n  exit\n.end' >many.s
{
  many 'program: k.s\nbuffers:\n' 4097 '  - {name: b%d, type: u8, count: 1}'
  echo 'steps: [{launch: {grid: [1], block: [32], args: []}}]'
} >buffers.yaml

mkdir folder.img
mkdir folder.cl
ln -s /dev/zero zero.yaml
ln -s /dev/full full
touch hard && ln -s hard soft

# For launch descriptions from elsewhere.
mkdir -p in/below
echo 'kernel void k(void) {}' | tee in/k.cl in/below/k.cl >k.cl
echo '#include "part.h"' >in/has.cl
echo 'kernel void k(void) {}' >in/below/part.h
head -c 64 /dev/zero >secret && ln -s ../secret in/link
touch gpu.h && echo -DX >arguments
cp k.cl ./-dash.cl && cp k.cl ./@at.cl
