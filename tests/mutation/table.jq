# The tables of a summary (summary.jq).
def left($n): tostring | . + " " * ([$n - length, 0] | max);
def right($n): (if . == null then "-" else tostring end) | " " * ([$n - length, 0] | max) + .;
def percent: if . == null then null else (. * 10 + 0.5 | floor) as $t | "\($t / 10 | floor).\($t % 10) %" end;
def row: (.unit | left(15)) + (.mutants | right(8)) + (.caught | right(8)) + (.port | right(7)) + (.state | right(7))
  + (.check | right(7)) + (.hang + .crash | right(6)) + (.median | right(8)) + (.percentile_90 | right(10))
  + (.equivalent | right(12)) + (.idle | right(6)) + (.bounded + .unknown | right(6)) + (.missed | right(8))
  + (.score | percent | right(9));
"                                  ------- caught by --------  cycles after first act",
"unit            mutants  caught   port  state  check  hang  median 90 in 100  equivalent  idle  open  missed    score",
(.units[] | row),
(if (.units | length) > 1 then .all | row else empty end),
(.mutants[] | select(.result == "missed" or .result == "bounded" or .result == "unknown")
  | "\(.unit) \(.mutant): " + {missed: "missed, differs from cycle \(.cycles) on",
      bounded: "open, no difference in \(.cycles) cycles", unknown: "open"}[.result]
    + "\n  \(.change)\(if .wire then ", \(.wire)" else "" end)" + (.source | map("\n  " + .) | join("")))
