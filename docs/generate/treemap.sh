#!/usr/bin/env bash
# docs/images/cost.svg: a treemap of the page of `tandem synth --html`, as a picture of its own.
#
#   treemap.sh PAGE UNIT >docs/images/cost.svg
set -euo pipefail
page=$1 unit=$2
cat <<'SVG'
<svg xmlns="http://www.w3.org/2000/svg" width="900" height="480" viewBox="0 0 900 480">
  <style>
    text { font: 12px sans-serif; fill: #1b1f24 }
    .dim { opacity: .85 }
    .page { fill: #ffffff }
    .tile { fill: #a9c8e8; stroke: #ffffff }
    .grown, .added { fill: #f6a94a }
    .box { fill: none; stroke: #ffffff; stroke-width: 2 }
    .depth0 { stroke: #1b1f24; stroke-width: 1 }
    .depth1 { stroke-width: 5 }
    .depth2 { stroke-width: 3 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6e9ec }
      .page { fill: #13171b }
      .tile { fill: #29496b; stroke: #13171b }
      .grown, .added { fill: #8f4b0b }
      .box { stroke: #13171b }
      .depth0 { stroke: #e6e9ec }
    }
  </style>
SVG
sed -n 's/^<!-- hardware [0-9]* -->$/  &/p' "$(dirname "$0")/../results/figures.md"
echo "  <title>Area of $unit by module; added logic is orange</title>"
echo '  <rect class="page" width="900" height="480"/>'
awk -v unit="$unit" '
  index($0, "<svg class=\"treemap\"") && index($0, "data-unit=\"" unit "\"") { on = 1; found = 1; next }
  on && /^<\/svg><\/figure>/ { on = 0 }
  on {
    gsub(/<a href="[^"]*">|<\/a>/, "")
    gsub(/ data-(unit|value)="[^"]*"/, "")
    print "  " $0
  }
  END { exit !found }' "$page"
echo '</svg>'
