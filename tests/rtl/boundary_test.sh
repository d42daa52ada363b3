#!/bin/sh
# The check of boundaries must refuse each of these changes of a unit, with the words given.  (Tests of
# the units themselves show that it takes them as they are.)
#
#   boundary_test.sh BOUNDARY RTL
set -u
boundary=$1 rtl=$2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
status=0

# refused UNIT PARAMETERS FILE WORDS SED: the changed FILE of the unit's RTL is refused with the words.
refused() {
  rm -rf "$copy/rtl"
  cp -r "$rtl" "$copy/rtl"
  sed "$5" "$rtl/$3" > "$copy/rtl/$3"
  if cmp -s "$rtl/$3" "$copy/rtl/$3"; then
    echo "$3: nothing to change by $5"
    status=1
  fi
  said=$("$boundary" "$copy/rtl" "$1" "$2" 2>&1)
  case $?:$said in
    1:*"$4"*) ;;
    *)
      echo "$5 is not refused with \"$4\": $said"
      status=1
      ;;
  esac
}

# unmade WORDS COMMAND...: the check cannot be made, which the command says with the words.
unmade() {
  words=$1
  shift
  said=$("$@" 2>&1)
  case $?:$said in
    2:*"$words"*) ;;
    *)
      echo "$* does not end with status 2 and \"$words\": $said"
      status=1
      ;;
  esac
}

# An input that reaches an output without a register, of the unit itself and through instances.  The
# path names signals with their instances, or else lines of the source.
refused cta_dispatch "" gpu/cta_dispatch.sv \
  "done_o depends on kernel_start_i without a register, through cta_dispatch.sv:" \
  "s/assign done_o  = /&~kernel_start_i \& /"
refused buddy_cluster Members=2 buddy/buddy_member.sv \
  "iss0_pc_o depends on fill_valid_i without a register, through g_member[0].u_member.fill_valid_i, " \
  "s/{x0_valid, top0_pc,/{x0_valid, top0_pc ^ {16{fill_valid_i}},/"
# More faults than have room: lines that have are whole.
refused pass_seq "" spu/pass_seq.sv "is not in the ports table
and 7 more" "s/_o\>/_x/g"
# A registered output that has an exception.
refused cta_dispatch "" gpu/cta_dispatch.sv "give_o is registered and needs no exception" \
  "s/assign give_o  = give/assign give_o = next_q/"
# Edges.
refused barrier "" sm/barrier.sv "falling edge" "s/always_ff @(posedge clk_i/always_ff @(negedge clk_i/"
refused cta_dispatch "" gpu/cta_dispatch.sv "its reset is active high" \
  "s/or negedge rst_ni/or posedge rst_ni/; s/(!rst_ni)/(rst_ni)/"
refused fetch "" sm/fetch.sv "kernel_start_i clocks state" \
  "s/always_ff @(posedge clk_i/always_ff @(posedge kernel_start_i/"
refused fetch "" sm/fetch.sv "its clock is no input's" \
  "s/^endmodule/logic strange, unused; assign strange = clk_i ^ kernel_start_i;\
   always_ff @(posedge strange) unused <= 1'b1;\n&/"
refused fetch "" sm/fetch.sv "a cell \$dlatch" \
  "s/^endmodule/logic unused; always_latch if (kernel_start_i) unused = clk_i;\n&/"
# A clock gate whose enable may change while the clock is high.
refused buddy_cluster Members=2 buddy/clock_gate.sv "its clock is no input's" "s/@(negedge clk_i/@(posedge clk_i/"
# A net with two drivers, of which a path might follow one alone.
refused fetch "" sm/fetch.sv "its bits have two drivers" \
  "s/^endmodule/logic twice; assign twice = clk_i ^ kernel_start_i; assign twice = clk_i | kernel_start_i;\n&/"
# A clock that goes round in circles.
refused fetch "" sm/fetch.sv "its clock is no input's" \
  "s/^endmodule/logic round, en, unused; always_ff @(negedge clk_i) en <= 1'b1; assign round = round \& en;\
   always_ff @(posedge round) unused <= 1'b1;\n&/"
# Ports.
refused fetch "" sm/fetch.sv "kernel_start_i: a port must be an input or an output" \
  "s/input  logic  *kernel_start_i,/inout wire kernel_start_i,/"
refused barrier "" sm/barrier.sv "release_o: 9 bits, in the ports table 8" \
  "s/\[[^]]*\]\( *release_o\)/[8:0]\1/"
refused fetch "" sm/fetch.sv "the port more_i is not in the ports table" \
  "s/input  logic  *kernel_start_i,/& input logic more_i,/"
refused fetch "" sm/fetch.sv "no port kernel_start_i" "s/kernel_start_i/start_i/g"

# Yosys refuses a construct, or the parameters.
refused fetch "" sm/fetch.sv "/rtl/sm/fetch.sv:10: ERROR: syntax error" \
  "s/^module fetch/module fetch import tandem_pkg::*;/"
refused fetch Warpz=3 sm/fetch.sv "ERROR: Can't find object for defparam \`Warpz\`" "1s/^/\/\/ /"

unmade "strange is no unit" "$boundary" "$rtl" strange
unmade "buddy_cluster needs the parameter Members" "$boundary" "$rtl" buddy_cluster
unmade "are not Name=value" "$boundary" "$rtl" fetch "Warps=3;shell"
unmade "yosys is not installed" env PATH=/nowhere "$boundary" "$rtl" fetch

exit $status
