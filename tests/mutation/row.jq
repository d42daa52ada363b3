# A row of scores.txt from a line "NAME FINGERPRINT" and the summary of units (summary.jq), or of groups of the C model
# (model.sh): $of[0].
split(" ") as [$name, $fingerprint]
| $of[0] as $all
| ($all.units // $all.groups)[] | select((.unit // .group) == ($name | sub("^[a-z]*/"; "")))
| [($all.level // "model"), (.unit // .group), $all.count, $all.seed, $all.seconds, $date, $fingerprint,
   .mutants, .caught, .port, .state, .check, (if .hang then .hang + .crash else null end), .median, .percentile_90, .equivalent, .idle,
   (if .bounded then .bounded + .unknown else 0 end), .missed, .timing]
| map(. // "-" | tostring) | join(" ")
