# The report as text, from report.jq's.
def right($n): tostring | (" " * ([$n - length, 0] | max)) + .;
def left($n): . + (" " * ([$n - length, 0] | max));
def share: if .all == 0 then "-" else "\(.covered)/\(.all)" end;
def shown($n): if length > $n then (.[:$n] | join(" ")) + " ..." else join(" ") end;
def total(f): [.units[] | f] | {covered: (map(.covered) | add), all: (map(.all) | add)};

(.units[] | select(.lines.missed + .toggles.missed + .points.missed + .points.needless + .points.excused != []) |
  "holes of \(.unit)",
  (.lines.missed[] | "  \(.file):\(.line): \(.kind) is never run"),
  (.toggles.missed[] |
    "  \(.file):\(.line): \(.signal) never changes" +
    (if .bits > 1 then ", \(.missed | length) of \(.bits) bits: \(.missed | shown(8))" else "" end)),
  (.points.excused[] | "  \(.file):\(.line): \(.name) is excused: \(.reason)"),
  (.points.needless[] | "  \(.file):\(.line): \(.name) is excused and reached: take its excuse out"),
  (.points.missed[] | "  \(.file):\(.line): \(.name) is never reached"),
  ""),
(["unit", "lines", "toggles", "points", "excused"] | (.[0] | left(18)) + (.[1:4] | map(right(13)) | add) + (.[4] | right(9))),
(.units[] | (.unit | left(18)) + ([.lines, .toggles, .points] | map(share | right(13)) | add) +
  (.points.excused | length | right(9))),
("all" | left(18)) + ([total(.lines), total(.toggles), total(.points)] | map(share | right(13)) | add) +
  ([.units[].points.excused | length] | add | right(9))
