# RTLIL: cuts registers and memories out of a module.  What they read becomes an output, what they hold an input.
function width(port) {
  if (port == "\\D" || port == "\\Q") return parameter["\\WIDTH"]
  if (port ~ /_ADDR$/) return parameter["\\ABITS"] * parameter[port ~ /RD/ ? "\\RD_PORTS" : "\\WR_PORTS"]
  if (port ~ /_(DATA|EN)$/ && port != "\\RD_EN") return parameter["\\WIDTH"] * parameter[port ~ /RD/ ? "\\RD_PORTS" : "\\WR_PORTS"]
  return 0
}
$1 == "cell" && ($2 == "$dff" || $2 == "$mem_v2") { inside = 1; name = $3; n = 0; split("", parameter); next }
inside && $1 == "parameter" { parameter[$(NF - 1)] = $NF; next }
inside && $1 == "connect" { port[n] = $2; sub(/^ *connect [^ ]+ /, ""); signal[n++] = $0; next }
inside && $1 == "end" {
  inside = 0
  gsub(/[^A-Za-z0-9_$.]/, "_", name)
  for (i = 0; i < n; i++) {
    if (!(w = width(port[i])))
      continue
    wire = "\\cut" name "." substr(port[i], 2)
    if (port[i] ~ /_ADDR$/) {
      # Bits above those by which the memory is addressed mean nothing.
      for (bits = 0; 2 ^ bits < parameter["\\SIZE"]; bits++);
      for (p = 0; p < w && bits > 0; p += parameter["\\ABITS"]) {
        high = p + (bits < parameter["\\ABITS"] ? bits : parameter["\\ABITS"]) - 1
        print "  wire width " high - p + 1 " output " ++ports + 100000 " " wire "." p
        print "  connect " wire "." p " " signal[i] " [" high ":" p "]"
      }
      continue
    }
    if (port[i] == "\\Q" || port[i] == "\\RD_DATA") {
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
