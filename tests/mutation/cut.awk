# RTLIL, read twice: cuts registers, memories and instances of boxes out of a module, and leaves the boxes out.  What
# they read becomes an output, what they hold or write an input.
function cut(type) { return type == "$dff" || type == "$mem_v2" || of[type] }
function width(port) {
  if (boxed) return of[kind, port]
  if (port == "\\D" || port == "\\Q") return parameter["\\WIDTH"]
  if (port ~ /_ADDR$/) return parameter["\\ABITS"] * parameter[port ~ /RD/ ? "\\RD_PORTS" : "\\WR_PORTS"]
  if (port ~ /_(DATA|EN)$/ && port != "\\RD_EN") return parameter["\\WIDTH"] * parameter[port ~ /RD/ ? "\\RD_PORTS" : "\\WR_PORTS"]
  return 0
}
# Boxes, and the widths of their ports.
FNR == NR {
  if ($1 == "module") { module = $2; of[module] = next_is_box; next_is_box = 0 }
  if ($1 == "attribute" && $2 == "\\blackbox") next_is_box = 1
  if ($1 == "wire" && of[module] && match($0, / (input|output) [0-9]+ /)) {
    of[module, $NF] = match($0, / width [0-9]+ /) ? substr($0, RSTART + 7) + 0 : 1
    from[module, $NF] = $0 ~ / output [0-9]+ /
  }
  next
}
$1 == "attribute" { held = held $0 "\n"; next }
$1 == "module" { skip = of[$2] }
skip { held = ""; if ($0 == "end") skip = 0; next }
{ if (!inside && !($1 == "cell" && cut($2))) printf "%s", held; held = "" }
$1 == "cell" && cut($2) { inside = 1; kind = $2; boxed = of[kind]; name = $3; n = 0; split("", parameter); next }
inside && $1 == "parameter" { parameter[$(NF - 1)] = $NF; next }
inside && $1 == "connect" { port[n] = $2; sub(/^ *connect [^ ]+ /, ""); signal[n++] = $0; next }
inside && $1 == "end" {
  inside = 0
  gsub(/[^A-Za-z0-9_$.]/, "_", name)
  for (i = 0; i < n; i++) {
    if (!(w = width(port[i])))
      continue
    wire = "\\cut" name "." substr(port[i], 2)
    if (!boxed && port[i] ~ /_ADDR$/) {
      # Bits above those by which the memory is addressed mean nothing.
      for (bits = 0; 2 ^ bits < parameter["\\SIZE"]; bits++);
      for (p = 0; p < w && bits > 0; p += parameter["\\ABITS"]) {
        high = p + (bits < parameter["\\ABITS"] ? bits : parameter["\\ABITS"]) - 1
        print "  wire width " high - p + 1 " output " ++ports + 100000 " " wire "." p
        print "  connect " wire "." p " " signal[i] " [" high ":" p "]"
      }
      continue
    }
    if (port[i] == "\\Q" || port[i] == "\\RD_DATA" || boxed && from[kind, port[i]]) {
      print "  wire width " w " input " ++ports + 100000 " " wire
      print "  connect " signal[i] " " wire
    } else {
      print "  wire width " w " output " ++ports + 100000 " " wire
      print "  connect " wire " " signal[i]
    }
  }
  next
}
!inside
