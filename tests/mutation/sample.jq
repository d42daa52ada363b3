# A line of the sample's table, from results of mutants (record.jq) and what is recorded: of $all mutants, $caught are
# found and $none are none.
#
# A unit is below its record if so few are found by chance once in a thousand times: of those that are mutants, or
# of all.  The second counts survivors that there was no time to judge.
def left($n): . + " " * ([$n - length, 0] | max);
def right($n): tostring | " " * ([$n - length, 0] | max) + .;
def choose($n; $k): reduce range($k) as $i (1; . * ($n - $i) / ($i + 1));
# How likely at most k of n are found, if each is with probability p.
def chance($n; $k; $p): reduce range($k + 1) as $i (0; . + choose($n; $i) * pow($p; $i) * pow(1 - $p; $n - $i));
# One mutant more that is found and one more that is not: nothing is certain.  Nothing recorded: so many.
def probability($k; $n; $otherwise): if $all == 0 then $otherwise else ($k + 1) / ($n + 2) end;
def number(f): map(select(f)) | length;
number(.result == "caught") as $found
| number(.result == "equivalent") as $equivalent
| number(.result | IN("bounded", "unknown", "missed")) as $open
| number(.result == "idle") as $unjudged
| (chance($found + $open; $found; probability($caught; $all - $none; 0.9)) < 0.001
   or chance(length; $found; probability($caught; $all; 0.7)) < 0.001) as $below
| ($level | left(8)) + ($unit | left(15)) + (length | right(8)) + ($found | right(8)) + ($equivalent | right(12))
  + ($open | right(6)) + ($unjudged | right(10))
  + ((if $all == 0 then "-" else "\($caught)/\($all - $none)" end) | right(10))
  + if $below then "  below what is recorded" else "" end
