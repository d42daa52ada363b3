# Fails if a unit's score is below its floor, "UNIT PERCENT" in a line of $floors.
([$floors | split("\n")[] | select(test("^[a-z]")) | split(" ") | {(.[0]): (.[1] | tonumber)}] | add) as $floor
| [.units[] | select(.score != null and .score < ($floor[.unit] // 100))]
| if length == 0 then "every score is at its floor or above"
  else map("\(.unit): the score \(.score * 100 | floor / 100) % is below its floor of \($floor[.unit] // 100) %\n")
    | add | halt_error(1)
  end
