# The report of all units, from the lines of points.awk (jq -nR).
def share: {covered: (map(select(.count > 0)) | length), all: length};
[inputs | split("\t") |
  {unit: .[0], kind: .[1], file: .[2], line: (.[3] | tonumber), name: .[4], count: (.[5] | tonumber), reason: .[6]}] |
{units: (group_by(.unit) | map(
  . as $all |
  ($all | map(select(.kind == "line"))) as $lines |
  ($all | map(select(.kind == "toggle"))) as $toggles |
  ($all | map(select(.kind == "point"))) as $points |
  {
    unit: .[0].unit,
    lines: ($lines | share + {
      missed: (map(select(.count == 0) | {file, line, kind: .name}) | unique)
    }),
    toggles: ($toggles | share + {
      missed: (map(. + (.name | capture("^(?<signal>[^\\[]*)(?<bit>.*)$"))) | group_by([.file, .line, .signal]) |
        map(select(any(.[]; .count == 0)) |
          {file: .[0].file, line: .[0].line, signal: .[0].signal, bits: length,
           missed: map(select(.count == 0) | .bit)}))
    }),
    points: ($points | share + {
      excused: map(select(.count == 0 and .reason != "") | {file, line, name, reason}),
      needless: map(select(.count > 0 and .reason != "") | {file, line, name, reason}),
      missed: map(select(.count == 0 and .reason == "") | {file, line, name}),
      counts: (map({(.name): .count}) | add)
    })
  }))}
