# The facts of units.def, for scripts: a line "UNIT<tab>FACT<tab>ARGUMENT..." each, and "UNIT<tab>UNIT" for each unit.
function print_entry() {
  if (!sub(/^UNIT\(/, "", text))
    return
  match(text, /^[a-z0-9_]+/)
  unit = substr(text, 1, RLENGTH)
  print unit "\tUNIT"
  text = substr(text, RLENGTH + 1)
  while (match(text, /[A-Z_]+\([^)]*\)/)) {
    fact = substr(text, RSTART, RLENGTH - 1)
    text = substr(text, RSTART + RLENGTH)
    sub(/\(/, "\t", fact)
    gsub(/, */, "\t", fact)
    gsub(/"/, "", fact)
    print unit "\t" fact
  }
}
/^ / { # a line more of the entry before
  text = text $0
  next
}
{
  print_entry()
  text = $0
}
END { print_entry() }
