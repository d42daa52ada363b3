# docs/results/figures.md from tables.json; $measured[0] is measured.json, $introduction the text before the tables.

def digits($n): # decimals
  (pow(10; $n)) as $scale | (. * $scale | round | fabs | tostring) as $all
  | (if ($all | length) <= $n then ("0" * ($n + 1 - ($all | length))) + $all else $all end) as $d
  | (if . * $scale | round < 0 then "-" else "" end) + $d[:($d | length) - $n] + (if $n > 0 then "." + $d[($d | length) - $n:] else "" end);
def grouped: # 1,234,567
  if length > 3 then (.[:length - 3] | grouped) + "," + .[length - 3:] else . end;
def figure: # a whole number, or three digits
  if . == floor then round | tostring | grouped
  elif fabs >= 100 then round | tostring | grouped
  elif fabs >= 10 then digits(1) elif fabs >= 1 then digits(2) else digits(3) end;
def shown($form):
  if $form == "figure" then if . == null then "–" else figure end
  elif . == null then "not measured"
  elif $form == "text" then .
  elif $form == "count" then round | tostring | grouped
  elif $form == "percent" then (. * 100 | digits(1)) + " %"
  elif $form == "change" then (if . >= 0 then "+" else "" end) + (. * 100 | digits(1)) + " %"
  else digits($form | ltrimstr("fixed") | tonumber) end;

($measured[0].tables) as $results
| ($introduction | rtrimstr("\n")), "",
  "Processor of the measurements of speed: \($measured[0].processor // "not measured").",
  (.[] | . as $table
    | "", "## \(.title)", "", .text, "",
      "| | \([.columns[].title] | join(" | ")) |",
      "| --- |\(" --- |" * (.columns | length))",
      (.rows[]
        | ($results[$table.title][.name] // []) as $cells
        | "| \(.name) | \([range($table.columns | length) as $i | $cells[$i] | shown($table.columns[$i].form)] | join(" | ")) |"))
