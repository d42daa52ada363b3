# A line "UNIT<tab>MUTANT<tab>RESULT<tab>COMMAND" as an object; COMMAND is that of yosys.
split("\t") as [$unit, $mutant, $result, $command]
| ($result | split(" ")) as $r
| def number: if . == "-" then null else tonumber end;
  def option($name): ($command | capture("-" + $name + " (?<v>[^ ]+)") // {v: null}).v;
{
  unit: $unit, mutant: ($mutant | tonumber),
  change: "\(option("mode")) \(option("port"))[\(option("portbit"))] of \(option("cell"))",
  wire: (if option("wire") then "\(option("wire"))[\(option("wirebit"))]" else null end),
  source: [$command | scan("-src ([^ ]+)") | .[0] | sub("^.*/rtl/"; "rtl/")] | unique
}
+ if $r[0] == "caught" then
    {result: "caught", by: $r[1], name: $r[2], cycle: ($r[3] | number),
     latency: ($r[4] | number | if . == null or . == 0 then null else . - 1 end)}
  else
    {result: ({different: "missed", survived: "idle"}[$r[0]] // $r[0]), cycles: (if $r[1] then $r[1] | tonumber else null end)}
  end
