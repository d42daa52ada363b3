#!/bin/sh
# What rtl/alike.pl finds alike in a small model of a cluster of four, and what it makes of it.
#
#   alike_test.sh ALIKE_PL
#
# Here L2.x is a signal of the link to the second follower, M2.x one of that follower itself, C.x
# one of the cluster, %x a field.  Each case is a signal of the second follower, named after it.
set -eu
alike=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0
cluster=buddy_cluster__DOT__ link=g_from__BRA__0__KET____DOT__g_to__BRA__
long() {
  sed -e 's/%/vlSelf->/g' -e "s/L\([1-7]\)\./$cluster${link}\1__KET____DOT__/g" \
    -e "s/M\([1-7]\)\./${cluster}g_member__BRA__\1__KET____DOT__/g" -e "s/C\./$cluster/g"
}
short() {
  sed -e 's/vlSelf->/%/g' -e "s/$cluster$link\([1-7]\)__KET____DOT__/L\1./g" \
    -e "s/${cluster}g_member__BRA__\([1-7]\)__KET____DOT__/M\1./g" -e "s/$cluster/C./g"
}
# A function of the model: its name, its body.
function_() {
  printf 'inline void Vx___024root___nba_%s(Vx___024root* vlSelf) {\n' "$1"
  cat <<END
    if (false && vlSelf) {}  // Prevent unused
    Vx__Syms* const __restrict vlSymsp VL_ATTR_UNUSED = vlSelf->vlSymsp;
    VL_DEBUG_IF(VL_DBG_MSGF("+    Vx___024root___nba_$1\n"); );
END
  long
  printf '}\n'
}
same() { # what, file, other file
  diff "$2" "$3" >differs || {
    echo "$1: expected <, found >"
    cat differs
    status=1
  }
}

long >steady.def <<'END'
HOLDS(1, C.never, 0)
HOLDS(1, C.zero, 0)
HOLDS(1, C.later, 0)
HOLDS(1, C.hears[4], 1)
HOLDS(1, C.hears[8], 1)
HOLDS(1, C.stays[1], 0)
HOLDS(1, L1.one, 1)
HOLDS(1, L2.one, FOLLOWERS/2)
HOLDS(1, L1.ends, 1)
HOLDS(1, L2.ends, 1)
HOLDS(1, L2.steady, 0)
HOLDS(2, L2.calm, 0)
INPUT(4, L1.input, 0)
END

# What is alike.
function_ sequent__TOP__0 >model.cpp <<'END'
    // Init
    CData/*7:0*/ __Vdly__L1.local;
    CData/*7:0*/ __Vdly__L2.local;
    // Body
    %L1.text_q = ((IData)(%C.x)
                  & (~ (IData)(%C.y)));
    %L2.text_q = ((IData)(%C.x) & (~
                  (IData)(%C.y)));
    %L3.text_q = ((IData)(%C.x) & (~ (IData)(%C.y)));
    %C.d0[4U] = %L1.text_q;
    %C.d0[8U] = %L2.text_q;
    %C.d0[0xcU] = %L3.text_q;
    %M1.reads = %C.d0[4U];
    %M2.reads = %C.d0[8U];
    __Vdly__L1.local = %M1.reads;
    __Vdly__L2.local = %M2.reads;
    %L1.of_local = __Vdly__L1.local;
    %L2.of_local = __Vdly__L2.local;
    if (VL_UNLIKELY(%C.c)) {
        %L1.under = %C.x;
        %L2.under = %C.x;
    } else if (%C.y) {
        %L1.under = %L1.of_local;
        %L2.under = %L2.of_local;
    } else {
        %L2.under = 0U;
        %L1.under = 0U;
    }
    %L1.assumed = ((IData)(%C.hears[4U]) & (IData)(%C.x));
    %L2.assumed = ((IData)(%C.hears[8U]) & (IData)(%C.x));
    %L1.chosen = ((1U & (IData)(%L1.one)) ? (IData)(%C.x) : 0U);
    %L2.chosen = ((1U & (IData)(%L2.one)) ? (IData)(%C.x) : 0U);
    %L1.dead = %C.x;
    %L2.dead = %C.x;
    if ((1U & (IData)(%C.never))) {
        %L2.dead = 7U;
    }
    if ((1U & (~ (IData)(%C.never)))) {
        %L1.lives = %C.x;
    }
    %L2.lives = %C.x;
    %C.out = ((IData)(%L2.text_q) | (IData)(%L2.text_q_not));
    %C.rows[1U] = %C.d0[8U];
    %C.rows[2U] = __Vdly__L2.local;
    if (%L2.under) {
        %C.out = %L3.text_q;
    }
END
cp model.cpp alike.cpp

# What is not, but for next and some nested.
function_ sequent__TOP__1 >>model.cpp <<'END'
    %L1.constant = 1U;
    %L2.constant = 2U;
    if (%C.c) { %L1.condition = %C.x; }
    if (%C.y) { %L2.condition = %C.x; }
    if (%C.c) {
        %L1.else_ = %C.x;
    } else {
        %L2.else_ = %C.x;
    }
    if (%C.c) {
        %L1.else_if = %C.x;
        %L2.else_if = %C.x;
    } else if (%C.x) {
        %L1.else_if = %C.y;
    } else {
        %L2.else_if = %C.y;
    }
    if (%C.toggles) {
        %C.toggles = 0U;
        %L1.toggled = %C.x;
    }
    if (%C.toggles) { %L2.toggled = %C.x; }
    %L1.operand = %C.x;
    %L2.operand = %C.xy;
    %L1.chain = %L1.operand;
    %L2.chain = %L2.operand;
    %L1.chained = %L1.chain;
    %L2.chained = %L2.chain;
    %L1.elsewhere = %C.x;
    %L1.twice = %C.x;
    %L2.twice = %C.x;
    %L1.between = %C.x;
    %C.between_out = %L2.between;
    %L2.between = %C.x;
    %L1.asked = %C.x;
    if (%L2.asked) { %C.asked_out = 1U; }
    %L2.asked = %C.x;
    %L1.early = %L1.next;
    %L1.next = %C.x;
    %L2.next = %C.x;
    %L2.early = %L2.next;
    %L2.ends = %C.y;
    %L1.after = %L1.ends;
    %L2.after = %L2.ends;
    %L1.of_shared = %C.shared;
    %C.shared = %C.x;
    %L2.of_shared = %C.shared;
    %C.d1[4U] = %C.x;
    %C.d1[8U] = %C.x;
    %C.d1_out = %C.d1[%C.y];
    %L1.steady = %C.x;
    %L2.steady = %C.x;
    %L1.calm = %C.x;
    %L2.calm = %C.x;
    %L1.input = %C.x;
    %L2.input = %C.x;
    %M1.u_frontend__DOT__u_unit__DOT__x_q = %C.x;
    %M2.u_frontend__DOT__u_unit__DOT__x_q = %C.x;
    %M1.u_frontend__DOT__u_unit__DOT__rows_q[1U] = %C.x;
    %M2.u_frontend__DOT__u_unit__DOT__rows_q[1U] = %C.x;
    %L1.width = %C.x;
    %L2.width = %C.x;
    %L1.word = %C.wide[0U];
    %L2.word = %C.wide[1U];
    %L1.row = %C.rows[3U];
    %C.rows[%C.y] = %C.x;
    %L2.row = %C.rows[3U];
    %L1.lost = %C.x;
    %L2.lost = %C.x;
    %C.stays[%C.y] = %C.x;
    if (%C.stays[1U]) { %L2.lost = 7U; }
    %L1.bits = %C.x;
    %L2.bits = %C.x;
    if ((4294967295U == (~ (IData)(%C.zero)))) { %L2.bits = 7U; }
    %L1.borrow = %C.x;
    %L2.borrow = %C.x;
    if ((1U < ((IData)(%C.zero) - 1U))) { %L2.borrow = 7U; }
    %L1.bound = %C.x;
    for (__Vi = 0U; (__Vi < (IData)(%L2.bound)); __Vi = (1U + __Vi)) {
        %C.count = (1U + %C.count);
    }
    %L2.bound = %C.x;
    %L1.looped = %C.x;
    %L2.looped = %C.x;
    for (__Vi = 0U; (__Vi < 2U); __Vi = (1U + __Vi)) {
        %L2.looped = (1U + %L2.looped);
    }
    %L1.once = %C.x;
    %L2.once = %C.x;
    for (__Vi = 0U; (__Vi < 2U); __Vi = (1U + __Vi)) {
        if (%C.later) {
            %L2.once = 7U;
        }
        %C.later = 1U;
    }
    %L1.of_index = __Vi;
    for (__Vi = 0U; (__Vi < 3U); __Vi = (1U + __Vi)) {}
    %L2.of_index = __Vi;
    %L1.calls = VL_RANDOM_I();
    %L2.calls = VL_RANDOM_I();
    if (VL_RANDOM_I()) { %L1.may = %C.x; }
    if (VL_RANDOM_I()) { %L2.may = %C.x; }
    %L1.assigns = (%C.left = %C.x);
    %C.left_out = %C.left;
    %L2.assigns = (%C.left = %C.x);
    %L1.counts = (1U + (++ %C.counter));
    %L2.counts = (1U + (++ %C.counter));
    if ((%C.stepped = %C.x)) { %L1.steps = %C.stepped; }
    if ((%C.stepped = %C.x)) { %L2.steps = %C.stepped; }
    %L1.decides = %C.x;
    if (%L2.decides) {
    } else if ((++ %C.counter)) {
    }
    %L2.decides = %C.x;
    %L1.method = %C.queue.pop();
    %L2.method = %C.queue.pop();
    %M1.M1.nested = %C.x;
    %M1.M2.nested = %C.x;
    %M2.M2.nested = %C.x;
    %L1.part = %C.x;
    %L2.part = %C.x;
    VL_ASSIGNSEL_II(8, 1, 3U, %L2.part, %C.y);
    %L1.adds = %C.x;
    %L2.adds = %C.x;
    %L2.adds += %C.y;
    %L1.bare = %C.x;
    %L2.bare = %C.x;
    if (%C.y) %L2.bare = 7U;
    if (%C.y) { %L1.blocks = %C.x; {{ %L2.blocks = %C.x; }}}
    if (%C.y) { %L2.blocks = 7U; }
END
function_ comb__TOP__0 >>model.cpp <<'END'
    %L2.elsewhere = %C.x;
    %L2.twice = %C.y;
END

{
  long <<'END'
class Vx___024root final {
    VlUnpacked<CData/*7:0*/, 16> C.d0;
    VlUnpacked<CData/*7:0*/, 16> C.d1;
    VlUnpacked<CData/*0:0*/, 16> C.hears;
    VlUnpacked<CData/*0:0*/, 4> C.stays;
    VlUnpacked<CData/*0:0*/, 2> M1.u_frontend__DOT__u_unit__DOT__rows_q;
    VlUnpacked<CData/*0:0*/, 2> M2.u_frontend__DOT__u_unit__DOT__rows_q;
    VlUnpacked<CData/*7:0*/, 4> C.rows;
    VlWide<3>/*95:0*/ C.wide;
    SData/*8:0*/ L2.width;
END
  # All others.
  grep -o 'vlSelf->\w*' model.cpp | sed 's/vlSelf->//' | sort -u |
    grep -v "^vlSymsp$\|^$cluster\(d[01]\|hears\|stays\|rows\|wide\)$\|2__KET____DOT__width$" |
    sed 's/.*/    CData\/*7:0*\/ &;/'
  echo '};'
} >model.h

cp model.cpp before.cpp
perl "$alike" 4 steady.def model.h model.cpp >found.def
short <found.def >found
sort >expected <<'END'
ALIKE(C.d0[12], C.d0[4])
ALIKE(C.d0[8], C.d0[4])
ALIKE(L2.assumed, L1.assumed)
ALIKE(L2.chosen, L1.chosen)
ALIKE(L2.dead, L1.dead)
ALIKE(L2.lives, L1.lives)
ALIKE(L2.next, L1.next)
ALIKE(L2.of_local, L1.of_local)
ALIKE(L2.text_q, L1.text_q)
ALIKE(L2.under, L1.under)
ALIKE(L3.text_q, L1.text_q)
ALIKE(M1.M2.nested, M1.M1.nested)
ALIKE(M2.reads, M1.reads)
END
sort found >found.sorted
same "alike" expected found.sorted

# The functions are as they were, and each has a second one behind them.
head -c "$(wc -c <before.cpp)" model.cpp >head.cpp
same "functions" before.cpp head.cpp
grep -o '^inline void \w*' before.cpp | sed 's/$/_alike/' >names
tail -c +"$(($(wc -c <before.cpp) + 1))" model.cpp | grep -o '^inline void \w*' >second
same "second functions" names second

# What is left of the first one.
function_ sequent__TOP__0_alike >expected <<'END'
    // Init
    CData/*7:0*/ __Vdly__L1.local;
    // Body
    %L1.text_q = ((IData)(%C.x)
                  & (~ (IData)(%C.y)));
    %C.d0[4U] = %L1.text_q;
    %M1.reads = %C.d0[4U];
    __Vdly__L1.local = %M1.reads;
    %L1.of_local = __Vdly__L1.local;
    if (VL_UNLIKELY(%C.c)) {
        %L1.under = %C.x;
    } else if (%C.y) {
        %L1.under = %L1.of_local;
    } else {
        %L1.under = 0U;
    }
    %L1.assumed = ((IData)(%C.hears[4U]) & (IData)(%C.x));
    %L1.chosen = ((1U & (IData)(%L1.one)) ? (IData)(%C.x) : 0U);
    %L1.dead = %C.x;
    if ((1U & (IData)(%C.never))) {
    }
    if ((1U & (~ (IData)(%C.never)))) {
        %L1.lives = %C.x;
    }
    %C.out = ((IData)(%L1.text_q) | (IData)(%L2.text_q_not));
    %C.rows[1U] = %C.d0[4U];
    %C.rows[2U] = __Vdly__L1.local;
    if (%L1.under) {
        %C.out = %L1.text_q;
    }
END
short <expected | sed 's/TOP__0_alike\\n/TOP__0\\n/' >expected.short
sed -n '/TOP__0_alike(/,/^}/p' model.cpp | sed '/^inline.*comb/,$d' | short |
  grep -v '^ *$' >left
same "text" expected.short left

# What it cannot read: then nothing is alike.
cannot() {
  echo "%L1.text_q = %C.x; %L2.text_q = %C.x; $1" | long >body
  function_ sequent__TOP__0 <body >model.cpp
  cp model.cpp original.cpp
  perl "$alike" 4 steady.def model.h model.cpp >found 2>error
  sed -n '/TOP__0_alike(/,$p' model.cpp | sed 's/_alike(/(/' >copy
  if [ -s found ] || ! grep -q 'cannot read' error || ! diff -B -w original.cpp copy >/dev/null; then
    echo "is read: $1"
    status=1
  fi
}
cannot '%C.x = 1U; f(vlSelf);'
cannot 'f(vlSelf, 1U); %C.x = 1U;'
cannot 'if (f((vlSelf))) { %C.x = 1U; }'
cannot '%C.x = vlSymsp->TOP__m.x;'
cannot 'if (%C.x) { goto __Vlabel1; } %C.x = 1U; __Vlabel1: ;'
cannot 'if (%C.x) { return; } %C.x = 1U;'
cannot 'while (%C.x) { %C.x = 0U; }'
cannot 'VL_WRITEF("; %C.x = 1U;");'
cannot '{ CData/*0:0*/ __Vx; __Vx = 0U; } { CData/*0:0*/ __Vx; %C.x = __Vx; }'
exit $status
