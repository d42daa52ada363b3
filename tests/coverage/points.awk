# Points of coverage, from Verilator's counts: for each unit of which there are counts, in lines of
#
#   unit  kind  file  line  name  count  reason
#
# kind: line, toggle, point (a cover point), or needless (an excuse of a point that is reached).  A point is
# one in all instances of its module and in all runs.  Arguments: the excuses, then files NAME@UNIT.dat.
BEGIN { OFS = "\t" }

# Excuses: unit, point, reason.
FILENAME ~ /excuses\.txt$/ {
  if ($0 !~ /^#/ && NF > 0) {
    if (NF < 3) {
      print FILENAME ":" FNR ": an excuse is a unit, a point and a reason" >"/dev/stderr"
      failed = 1
    }
    at = $1 SUBSEP $2
    reason = $0
    sub(/^[^ ]+ +[^ ]+ +/, "", reason)
    excuse[at] = reason
    where[at] = FNR
  }
  next
}

FNR == 1 {
  unit = FILENAME
  sub(/.*@/, "", unit)
  sub(/\.dat$/, "", unit)
  measured[unit] = 1
}

# The value of a field of a line: \001 key \002 value.
function field(key,    from, rest, to) {
  from = index($0, "\001" key "\002")
  if (from == 0)
    return ""
  rest = substr($0, from + length(key) + 2)
  to = match(rest, /[\001']/)
  return substr(rest, 1, to - 1)
}

/^C / {
  page = field("page")
  file = field("f")
  # RTL is named from the root on.  A model of the cache may have been made with another clone's cover points.
  sub(/^.*\/tests\/coverage\//, "tests/coverage/", file)
  name = field("o")
  if (page ~ /^v_user/) {
    kind = "point"
    name = field("h")
    sub(/.*\.u_cover\./, "", name)
    gsub(/__BRA__/, "[", name)
    gsub(/__KET__/, "]", name)
  } else if (file ~ /^tests\//)
    next # of the cover points' own text
  else if (page ~ /^v_toggle/) {
    if (name ~ /^(clk|noc_clk|rst_n)i?_?i$/)
      next
    kind = "toggle"
  } else
    kind = "line"
  line = field("l")
  key = kind OFS file OFS line OFS name (kind == "line" ? field("n") : "")
  if (!(key in count))
    keys[++n] = key
  text[key] = kind OFS file OFS line OFS name
  match($0, /[0-9]+$/)
  count[key] += substr($0, RSTART)
  owners[key, unit] = 1
}

# A unit has the points of its own module, if it is measured itself, and lines and signals of the files that no smaller unit has.
END {
  for (i = 1; i <= n; i++)
    for (u in measured)
      if ((keys[i], u) in owners)
        size[u]++
  for (i = 1; i <= n; i++) {
    split(text[keys[i]], part, OFS)
    for (u in measured)
      if ((keys[i], u) in owners && (!(part[2] in home) || size[u] < size[home[part[2]]]))
        home[part[2]] = u
  }
  for (i = 1; i <= n; i++) {
    key = keys[i]
    split(text[key], part, OFS)
    u = home[part[2]]
    if (part[1] == "point") {
      u = part[2]
      gsub(/.*\/|_cover\.sv$/, "", u)
      if (!(u in measured))
        continue
    }
    at = u SUBSEP part[4]
    reason = part[1] == "point" && at in excuse ? excuse[at] : ""
    if (reason != "")
      used[at] = 1
    print u, text[key], count[key], reason
  }
  for (at in excuse) {
    split(at, part, SUBSEP)
    if (part[1] in measured && !(at in used)) {
      print "tests/coverage/excuses.txt:" where[at] ": unit " part[1] " has no point " part[2] >"/dev/stderr"
      failed = 1
    }
  }
  exit failed
}
