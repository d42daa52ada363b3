# Results of mutants, as record.jq makes them, to {level, count, seed, seeds, seconds, units, all, mutants}.
def percentile($p): sort | if length == 0 then null else .[((length - 1) * $p / 100) | floor] end;
def share($a; $b): if $b == 0 then null else 100 * $a / $b end;
def numbers($unit):
  . as $all
  | map(select(.result == "caught")) as $caught
  | def of($result): map(select(.result == $result)) | length;
    def by($kind): $caught | map(select(.by == $kind)) | length;
  {
    unit: $unit, mutants: length, caught: ($caught | length),
    port: by("port"), state: by("state"), hang: (by("hang") + by("endless")), crash: by("crash"),
    check: ($caught | map(select(.by | IN("port", "state", "hang", "endless", "crash") | not)) | length),
    median: ($caught | map(.latency | values) | percentile(50)),
    percentile_90: ($caught | map(.latency | values) | percentile(90)),
    equivalent: of("equivalent"), idle: of("idle"), bounded: of("bounded"), unknown: of("unknown"), missed: of("missed")
  }
  | .score = share(.caught; .mutants - .equivalent - .idle);
{
  level: $level, count: $count, seed: $seed, seeds: $seeds, seconds: $seconds,
  units: [group_by(.unit)[] | numbers(.[0].unit)],
  all: numbers("all"),
  mutants: .
}
