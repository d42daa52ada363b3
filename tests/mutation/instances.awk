# RTLIL, read twice: instances of boxes (wiring.sh) are those of the sources' modules again, with their parameters,
# and the boxes themselves are left out.  Packages' constants are no parameters.
$1 == "attribute" {
  if (FNR == NR) { if ($2 == "\\hdlname") source = $3 }
  else held = held $0 "\n"
  next
}
$1 == "module" {
  name = $2
  if (FNR == NR) {
    gsub(/"|\\\\/, "", source)
    of[name] = source == "" ? name : "\\" source
    source = ""
  }
  skip = box[name]
}
FNR == NR {
  if ($1 == "attribute") next
  if ($1 == "parameter" && $2 !~ /::/ && !inside) parameters[name] = parameters[name] "    " $0 "\n"
  if ($1 == "cell") { inside = 1; if ($2 !~ /^\$[a-z]/ || $2 ~ /^\$paramod/) box[$2] = 1 }
  if ($1 == "end") inside = 0
  next
}
{ if (!skip) printf "%s", held; held = "" }
skip { if ($1 == "end" && $0 == "end") skip = 0; next }
$1 == "cell" && $2 in box { print "  cell " of[$2] " " $3; printf "%s", parameters[$2]; next }
{ print }
