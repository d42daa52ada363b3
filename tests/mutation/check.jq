# Fails if a unit's score is below its floor, "UNIT PERCENT" or "system/UNIT PERCENT" in a line of $floors.
(if .level == "system" then "system/" else "" end) as $level
| ([$floors | split("\n")[] | select(test("^[a-z]")) | split(" ") | {(.[0]): (.[1] | tonumber)}] | add) as $floor
| [.units[] | . + {name: ($level + .unit)} | select(.score != null and .score < ($floor[.name] // 100))]
| if length == 0 then "every score is at its floor or above"
  else map("\(.name): the score \(.score * 100 | floor / 100) % is below its floor of \($floor[.name] // 100) %\n")
    | add | halt_error(1)
  end
