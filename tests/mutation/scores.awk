# The tables of scores (scores.sh), from rows of scores.txt behind "current", "stale" or "new".
function share(caught, of) { return of == 0 ? "-" : sprintf("%.1f %%", 100 * caught / of) }
function row(name, n, caught, port, state, check, hang, median, most, equivalent, idle, open, missed, measured) {
  text = sprintf("%-15s%8s%8s%6s%6s%6s%5s%7s%7s%6s%5s%5s%7s%8s  %s", name, n, caught, port, state, check, hang, median,
    most, equivalent, idle, open, missed, share(caught, n - equivalent - idle), measured)
  sub(/ +$/, "", text)
  print text
}
function finish() {
  if (level == "")
    return
  if (level != "model")
    row("all", n, caught, port, state, check, hang, "", "", equivalent, idle, open, missed, "")
  print "```"
  n = caught = port = state = check = hang = equivalent = idle = open = missed = 0
}
function measured() { return $7 ($1 == "stale" ? " stale" : "") }
BEGIN {
  title["unit"] = "With the unit's test:"
  title["system"] = "In whole runs (`--level system`):"
  title["model"] = "Of the C model (`--model`):"
}
$1 == "new" {
  unmeasured[$2] = unmeasured[$2] " " $3
  next
}
$2 != level {
  finish()
  if (level != "")
    print ""
  level = $2
  print title[level] "\n\n```"
  if (level == "model")
    print "group           mutants  caught  timing equal idle missed   score  measured"
  else {
    print "                       ----- caught by -----     cycles"
    print "unit            mutants  caught  port state check hang median   90 % equal idle open missed   score  measured"
  }
}
level == "model" {
  printf "%-15s%8s%8s%8s%6s%5s%7s%8s  %s\n", $3, $9, $10, $21, $17, $18, $20, share($10, $10 + $20), measured()
  next
}
{
  row($3, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, measured())
  n += $9; caught += $10; port += $11; state += $12; check += $13; hang += $14
  equivalent += $17; idle += $18; open += $19; missed += $20
}
END {
  finish()
  for (level in unmeasured)
    print "\nNot measured" (level == "system" ? " in whole runs" : "") ":" unmeasured[level] "."
}
