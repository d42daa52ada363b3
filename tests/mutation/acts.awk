# RTLIL after `mutate -ctrl`: adds the output acts_o, 1 while the mutant that is on gives a bit another value.
# Each mutant is a multiplexer of that name, of the bit and what it becomes.
$1 == "attribute" { held = held $0 "\n"; next }
$1 == "module" { printf "%s", held; held = ""; last = 0; print; next }
/^  wire / {
  if (match($0, / (input|output|inout) [0-9]+ /)) {
    split(substr($0, RSTART + 1), word, " ")
    if (word[2] > last) last = word[2]
  }
}
$1 == "cell" { mutant = $2 == "$mux" && $3 ~ /mutate_ctrl_mux/ }
mutant && $1 == "connect" { port = $2; sub(/^ *connect [^ ]+ /, ""); signal[port] = $0; print "    connect " port " " $0; next }
mutant && $1 == "end" {
  n++
  a[n] = signal["\\A"]; b[n] = signal["\\B"]; s[n] = signal["\\S"]
  mutant = 0
}
$0 == "end" && n { # of the module with mutants
  for (i = 1; i <= n; i++) {
    print "  wire \\acts.differs" i "\n  wire \\acts.mutant" i
    print "  cell $xor \\acts.xor" i
    print "    parameter \\A_SIGNED 0\n    parameter \\B_SIGNED 0\n    parameter \\A_WIDTH 1\n    parameter \\B_WIDTH 1"
    print "    parameter \\Y_WIDTH 1\n    connect \\A " a[i] "\n    connect \\B " b[i] "\n    connect \\Y \\acts.differs" i "\n  end"
    print "  cell $and \\acts.and" i
    print "    parameter \\A_SIGNED 0\n    parameter \\B_SIGNED 0\n    parameter \\A_WIDTH 1\n    parameter \\B_WIDTH 1"
    print "    parameter \\Y_WIDTH 1\n    connect \\A " s[i] "\n    connect \\B \\acts.differs" i "\n    connect \\Y \\acts.mutant" i "\n  end"
    all = all " \\acts.mutant" i
  }
  print "  wire output " last + 1 " \\acts_o"
  print "  cell $reduce_or \\acts.any\n    parameter \\A_SIGNED 0\n    parameter \\A_WIDTH " n "\n    parameter \\Y_WIDTH 1"
  print "    connect \\A {" all " }\n    connect \\Y \\acts_o\n  end"
  n = 0
}
{ printf "%s", held; held = ""; print }
