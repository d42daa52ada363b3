# The facts of units.def, for scripts: a line "UNIT<tab>FACT<tab>ARGUMENT..." each, and "UNIT<tab>UNIT" for each unit.
{
  text = text $0
  if (sub(/\\$/, "", text))
    next
}
text ~ /^#define PORTS_UNIT / {
  unit = text
  sub(/^#define PORTS_UNIT +/, "", unit)
  print unit "\tUNIT"
}
text ~ /^#define PORTS_FACTS / {
  sub(/^#define PORTS_FACTS +/, "", text)
  while (match(text, /^[A-Z_]+\([^)]*\) */)) {
    fact = substr(text, 1, RLENGTH)
    text = substr(text, RLENGTH + 1)
    sub(/\) *$/, "", fact)
    sub(/\(/, "\t", fact)
    gsub(/, */, "\t", fact)
    gsub(/"/, "", fact)
    print unit "\t" fact
  }
}
{ text = "" }
