#!/usr/bin/env bash
# `tandem experiment`: suites are run, continued after a kill -9, refused with file and line; failed
# runs; the page of results.
#
#   experiment.sh TANDEM SOURCES
. "${0%/*}/suites.sh"

echo "the example"
results=(--results example.sqlite)
expect 0 "vecadd.yaml --engine=ref --threads=1 --set sms=16" example "${results[@]}" --dry-run
expect 0 "vecadd.yaml --engine=lockstep --threads=1" example "${results[@]}" --dry-run --engine lockstep
expect 2 "run.engine must be rtl, ref or lockstep, not fast" example "${results[@]}" --engine fast
expect 0 "missing       0.0 s  reduction/16" example "${results[@]}" --list
expect 2 "no run's name matches --only nothing; names are run (vecadd, reduction) / sms (1, 4, 16)" example "${results[@]}" --only nothing
expect 0 "6 runs, 1 ok, 0 failed, 5 missing" example "${results[@]}" --only 'vecadd/1'
expect 0 "6 runs, 6 ok, 0 failed, 0 missing" example "${results[@]}" -j 2 --json=out.json --html page.html --markdown page.md
grep -q '^vecadd/4: ok' said || fail "a run is not reported"
! grep -q '^vecadd/1: ok' said || fail "a run that there was is run again"
expect 0 "6 runs, 6 ok" example "${results[@]}"
! grep -q ': ok$' said || fail "everything is run again"
# The RTL is part of what determines a result.
mkdir -p edited/harness edited/csim
cp -r "$sources/rtl" "$sources/experiments" "$sources/tests" edited
cp -r "$sources/harness/shim" edited/harness
cp -r "$sources/csim/ports" edited/csim
TANDEM_ROOT=$work/edited expect 0 "vecadd/1" example "${results[@]}" --list
! grep -q '^missing' said || fail "a copy of the sources has other results"
sed -i '$a // edited' edited/rtl/sm/issue.sv
TANDEM_ROOT=$work/edited expect 0 "vecadd/1" example "${results[@]}" --list
! grep -q '^ok' said || fail "edited RTL has the results of what it was"
expect 0 "reduction/1: ok" example "${results[@]}" --again --only 'reduction/1'
# A table's figure is that of the run.
cycles=$(jq '.runs[] | select(.name == "vecadd/4").result.cycles' out.json)
[[ $cycles -gt 0 && $cycles == "$(jq '.tables[0].rows[1].cells[0].value | floor' out.json)" ]] ||
  fail "the table has another figure than the run, $cycles"
[[ $("$tandem" run "$sources/tests/kernels/vecadd/vecadd.yaml" --engine ref --sms 4 --json | jq .cycles) == "$cycles" ]] ||
  fail "tandem run takes other cycles than $cycles"
grep -q "^| 4 | $(sed ":a; s/\B[0-9]\{3\}\>/,&/; ta" <<<"$cycles") | [0-9,]* |\$" page.md || fail "the Markdown does not have the figure"
jq -e '.tables[1].rows | .[0].cells[0].value == 1 and .[2].name == "mean"
  and ((.[2].cells[2].value | . * .) - .[0].cells[2].value * .[1].cells[2].value | fabs < 1e-6)' \
  out.json >jq.out || fail "speedups or their geometric mean are wrong"
xmllint --noout page.html || fail "the page is not well-formed"
[[ $(grep -c '<svg' page.html) == 2 ]] || fail "the page does not have two plots"
for id in plot0_plot_1 plot0_plot_2 plot1_plot_3; do
  grep -q "id=\"$id\"" page.html || fail "a plot does not have its series $id"
done
! grep -E '(src|href)="[^#]' page.html || fail "the page needs other files"

cat >largest.yaml <<END
defaults: {engine: ref, launch: $sources/tests/kernels/vecadd/vecadd.yaml}
runs: [{name: vecadd}]
matrix: {sms: {1: {set: {sms: 1}}, 4: {set: {sms: 4}}}}
tables:
  - {title: T, rows: sms, mean: largest, columns: [{value: cycles, published: {largest: 1000, mean: 5}, source: none}, {value: -cycles}]}
END
expect 0 "largest" largest.yaml --results largest.sqlite --json largest.json
jq -e '.tables[0].rows | .[2].name == "largest" and .[2].cells[0].value == .[0].cells[0].value and
  .[2].cells[1].value == .[1].cells[1].value and .[1].cells[0].value < .[0].cells[0].value and
  .[2].cells[0].published == 1000' largest.json >jq.out || fail "the largest values are wrong"

echo "the suites of the tree"
for suite in "$sources"/experiments/*.yaml; do
  # A build with a sanitizer lacks the tests that suites of regressions run.
  [[ ${TANDEM_SANITIZE-} ]] && grep -q 'unit:' "$suite" && continue
  expect 0 "missing " "$suite" --results none.sqlite --list
done

echo "killed and continued"
launch >launch.yaml
cat >s.yaml <<'END'
defaults: {engine: ref, launch: launch.yaml, set: {sms: 1}}
runs:
  - {name: fast}
  - {name: slow, timeout: 0.5, params: {n: 100000000}}
  - {name: last, params: {n: 2}}
END
sed 's/timeout: 0.5, //' s.yaml >patient.yaml
"$tandem" experiment patient.yaml --results r.sqlite -j 1 >killed 2>&1 &
runner=$!
for ((i = 0; i < 1200; i++)); do
  if [[ -e r.sqlite ]] && state fast ok; then break; fi
  sleep 0.05
done
for ((i = 0; i < 200; i++)); do
  child=$(tr -d " " </proc/$runner/task/$runner/children)
  [[ ! $child ]] || break
  sleep 0.05
done
[[ $child ]] || fail "there is no process of the slow run"
expect 2 "another command writes to r.sqlite" s.yaml --results r.sqlite
kill -9 $runner
{ wait $runner || true; } 2>wait.err
runner=
for ((i = 0; i < 100; i++)); do
  kill -0 "$child" 2>wait.err || break
  sleep 0.05
done
! kill -0 "$child" 2>wait.err || fail "the run goes on without its runner"
state fast ok && state slow missing && state last missing || fail "the results are not those of before the kill"
expect 1 "3 runs, 2 ok, 1 failed, 0 missing" s.yaml --results r.sqlite
! grep -q '^fast: ' said || fail "the finished run was run again"
grep -q '^slow: timeout' said || fail "the time limit is not reported"
state last ok || fail "the run behind the one that was killed is missing"

echo "failed runs"
cp launch.yaml wrong.yaml
echo 'expect: [{buffer: a, data: [7]}]' >>wrong.yaml
cat >s.yaml <<'END'
title: Two <runs> & more
defaults: {engine: ref, set: {sms: 1}}
runs:
  - {name: good, launch: launch.yaml}
  - {name: wrong, launch: wrong.yaml}
END
expect 1 "/wrong.yaml:9: buffer \"a\": 1 of 1 elements" s.yaml --results r.sqlite --html page.html
xmllint --noout page.html || fail "the page of a failure is not well-formed"
grep -q '<summary>wrong: failed</summary>' page.html || fail "the page does not have the failure"
expect 1 "2 runs, 1 ok, 1 failed" s.yaml --results r.sqlite
! grep -q '^wrong: failed: tandem' said || fail "the failed run is run again without --retry-failed"
expect 1 "wrong: failed: tandem" s.yaml --results r.sqlite --retry-failed
! grep -q '^good: ' said || fail "--retry-failed runs what has not failed"
expect 0 "2 runs, 1 ok, 1 failed" s.yaml --results r.sqlite --only good
sed -i 's/\[7\]/[0]/' wrong.yaml # another key: a result that there is not
expect 0 "2 runs, 2 ok" s.yaml --results r.sqlite
! grep -q '^good: ok' said || fail "a change of one description runs the other again"

echo "tables"
cat >s.yaml <<'END'
defaults: {engine: ref, launch: launch.yaml, set: {sms: 1}}
runs:
  - {name: a}
  - {name: b, over: [size]}
matrix:
  size: {1: {params: {n: 1}}, 3: {params: {n: 3}}}
  warps: {few: {set: {sm.warps: 8}}, many: {}}
exclude: [{run: a, size: 3, warps: few}]
include: [{run: b, size: 3, warps: few, set: {sm.warps: 4}}]
columns: all
tables:
  - title: Launches
    rows: size
    where: {run: a}
    mean: arithmetic
    columns:
      - {title: one, value: launches, where: {warps: many}, published: {1: 2, 3: 4}, source: a book}
      - {title: formula, value: "n*n + max(launches, 2)", where: {warps: many}, decimals: 1}
      - {title: of one, value: launches, where: {warps: many}, of: {size: 1}, form: percent}
END
expect 0 "a/1/few" s.yaml --results r.sqlite --list
names=$(awk '{ print $4 }' said | paste -sd' ')
[[ $names == "a/1/few a/1/many a/3/many b/1 b/3 b/3/few" ]] || fail "the runs are $names"
expect 0 "6 runs, 6 ok" s.yaml --results r.sqlite
grep -qE '^  1 +1 +2 +-50\.0 % +3\.0 +100\.0 %$' said || fail "row 1 is wrong"
grep -qE '^  3 +3 +4 +-25\.0 % +12\.0 +300\.0 %$' said || fail "row 3 is wrong"
grep -qE '^  mean +2 +3 +-33\.3 % ' said || fail "the means are wrong"
sed -i 's/published: {1: 2, 3: 4}/published: {1: 2}/' s.yaml
expect 0 "published: a book" s.yaml --results r.sqlite --show
grep -qE '^  mean +2 +- +- ' said || fail "means of different rows are compared"
grep -qF "published: a book" said || fail "the source is not told"

cat >>s.yaml <<'END'
  - title: Over two runs
    rows: size
    where: {warps: many}
    mean: arithmetic
    columns:
      - {title: sum, value: launches + 10*of.launches + of.n, where: {run: a}, of: {size: 3},
         published: {1: [34, 40], 3: [30, 32], mean: 40}, source: a book}
      - {title: change, value: launches / of.launches, where: {run: a}, of: {size: 3}, form: change,
         published: {1: [-60, -50], 3: [0, 1]}, source: a book}
      - {title: zero, value: launches - launches, where: {run: a}, published: {1: [0, 1]}, source: a book}
END
expect 0 "Over two runs" s.yaml --results r.sqlite --show --json=out.json
grep -qE '^  1 +34 +34 to 40 +within +-66\.7 % +-60\.0 % to -50\.0 % +-6\.7 points +0 +0 to 1 +within$' said || fail "row 1 over two runs is wrong"
grep -qE '^  3 +36 +30 to 32 +\+12\.5 % +\+0\.0 % +\+0\.0 % to \+1\.0 % +within +0 +- +-$' said || fail "row 3 over two runs is wrong"
grep -qE '^  mean +35 +40 +-12\.5 % +-33\.3 % +- +- +0 +- +-$' said || fail "the published mean is wrong"
jq -e '.tables[1].rows[0].cells[0] | .published == 34 and .published_up_to == 40' out.json >jq.out ||
  fail "the JSON does not have the range"

cat >>s.yaml <<'END'
  - title: Controls
    rows: size
    where: {run: a, warps: many}
    against: [{size: 1}, {size: 3}]
    columns: [{title: quotient, value: launches}, {title: product, value: launches * of.launches},
              {title: own, value: launches, of: {size: 3}, form: change}]
END
expect 0 "Controls, against 1" s.yaml --results r.sqlite --show
sed '/^Controls, against 3/,$d' said >first && sed -n '/^Controls, against 3/,$p' said >second
grep -qE '^  3 +3[.0]* +3[.0]* +\+0[.0]* %$' first || fail "the first control is wrong"
grep -qE '^  1 +0[.]33[0-9]* +3[.0]* +-66[.]7 %$' second || fail "the second control is wrong"

cat >points.yaml <<'END'
defaults: {engine: ref, launch: launch.yaml, set: {sms: 1}}
runs: [{name: a}]
matrix: {size: {1: {params: {n: 1}}, 3: {params: {n: 3}}}}
tables:
  - title: Columns of columns
    rows: size
    mean: [arithmetic, geometric, above 2]
    columns:
      - {title: A, name: a, value: launches, published: {above 2: 2}, source: a book}
      - {title: B, name: b, value: 4 - launches}
      - {title: best, name: best, least: [a, b]}
      - {title: ratio, value: row.a / row.best}
      - {title: "some | <b> \uFFFE", value: launches, if: row.a - 2}
    plot: {style: points, points: [{title: first, x: a, y: b}, {title: other, x: a, y: a}], front: true}
END
expect 0 "2 runs, 2 ok" points.yaml --results r.sqlite --json=out.json --html page.html --markdown page.md
grep -qF '| best | ratio | some \| &lt;b> ' page.md || fail "the Markdown takes a name for a border or a tag"
grep -qE '^  1 +1 +- +- +3 +A +1 +-$' said && grep -qE '^  3 +3 +- +- +1 +B +3 +3$' said || fail "a column of columns is wrong"
grep -qE '^  arithmetic mean +2 +- +- +2 +- +2 +3$' said && grep -qE '^  geometric mean +1[.]732 .* 1[.]732 +3[.0]*$' said ||
  fail "two means are wrong"
grep -qE '^  above 2 +1 +2 +-50[.]0 % +1 +- +1 +1$' said || fail "the numbers of rows are wrong"
jq -e '.tables[0].rows[1].cells[2] | .value == 1 and .name == "B"' out.json >jq.out || fail "the JSON does not name the least"
xmllint --noout page.html || fail "the page of points is not well-formed"
for id in plot0_plot_1 plot0_plot_2 plot0_plot_3; do
  grep -q "id=\"$id\"" page.html || fail "the plot of points does not have its series $id"
done
grep -q '>A</text>' page.html && grep -q '>B</text>' page.html || fail "the plot of points does not name its axes by their columns"
for text in first other front; do
  grep -q ">$text</text>" page.html || fail "the plot of points does not name $text"
done
# The front: (1, 1) of row 1 is not above another point, and all others are above it.
[[ $(sed -n '/id="plot0_plot_4"/,/<\/svg>/p' page.html | grep -c '<text>') == 1 ]] || fail "the front has other points"

cat >grow.cl <<'END'
__kernel void grow(__global uint *a) { a[0] = 2 * a[0] + 1; }
END
cat >grow.yaml <<'END'
program: grow.cl
buffers: [{name: a, type: u32, count: 1, fill: {value: 3}}]
steps: [launch: {kernel: grow, grid: [1], block: [1], args: [{buffer: a}]}]
expect: [{buffer: a, data: [7]}]
END
cat >repeat.yaml <<'END'
defaults: {engine: ref, launch: grow.yaml, set: {sms: 1}}
runs: [{name: once}, {name: often, set: {run.repeat: 3}}]
tables: [{rows: run, columns: [{value: launches}]}]
END
expect 0 "2 runs, 2 ok" repeat.yaml --results r.sqlite
grep -qE '^  once +1$' said && grep -qE '^  often +3$' said || fail "a description is not repeated"

sed 's/few: {set/few: {engine: ref, set/' s.yaml >fixed.yaml
expect 0 "sm.warps=4" fixed.yaml --results r.sqlite --dry-run --again --engine lockstep --only 'b/3/few'
grep -q -- "--engine=ref" said || fail "the engine of an axis is replaced"
expect 0 "--engine=lockstep" fixed.yaml --results r.sqlite --dry-run --again --engine lockstep --only 'a/1/many'

echo "GPUs"
cat >s.yaml <<'END'
defaults: {engine: ref, launch: launch.yaml, base: gpgpusim, set: {sms: 1}}
runs: [{name: named}, {name: described, base: own.yaml}]
tables: [{rows: run, columns: [{value: cycles}]}]
END
echo 'memory: {l1d: false}' >own.yaml
expect 0 "2 runs, 2 ok" s.yaml --results r.sqlite --json=out.json
jq -e '[.runs[].result.gpu] | .[0] == "gpgpusim" and (.[1] | endswith("/own.yaml"))' out.json >jq.out || fail "the runs have other GPUs"
echo 'memory: {l1d: true}' >own.yaml
expect 0 "ok" s.yaml --results r.sqlite --list
grep -q '^missing .*described' said || fail "another GPU has the same result"
sed -i '1s/gpgpusim/gpgsim/' s.yaml
expect 2 's.yaml:1: there is no GPU "gpgsim"; there are gpgpusim and gtx480' s.yaml --results r.sqlite
sed -i '1s/gpgsim/none.yaml/' s.yaml
expect 2 'none.yaml' s.yaml --results r.sqlite

echo "a row for each kernel"
cat >kernels.yaml <<'END'
program: faults.cl
buffers: [{name: a, type: u32, count: 64}]
steps:
  - launch: {kernel: swap, grid: [1], block: [32], args: [{buffer: a}, {local: 128}, {u32: 32}]}
  - repeat: {times: 3, steps: [{launch: {kernel: fine, grid: [1], block: [32], args: [{buffer: a}, {u32: 64}]}}]}
END
cat >s.yaml <<'END'
runs: [{name: a, launch: kernels.yaml, engine: ref, set: {sms: 2}}]
tables:
  - rows: run
    each: kernel
    mean: arithmetic
    columns: [{value: launches}, {value: sms}, {value: warp_instructions}, {value: memory.global_loads}]
END
expect 0 "a: ok" s.yaml --results r.sqlite --json=out.json
grep -qE '^  a swap +1 +2 +[0-9]+ +1$' said || fail "the row of swap is wrong"
grep -qE '^  a fine +3 +2 +[0-9]+ +3$' said || fail "the row of fine is wrong"
grep -qE '^  mean +2 +2 ' said || fail "the mean of the kernels is wrong"
jq -e '.runs[0].result | .warp_instructions == ([.kernels[].warp_instructions] | add)
  and .cycles == ([.kernels[].cycles] | add) and .kernels.fine.launches == 3' out.json >jq.out ||
  fail "kernels do not add up to the run"

echo "programs, kernels, deviations"
cat >s.yaml <<'END'
defaults: {engine: ref, launch: faults.cl, kernel: fine, set: {sms: 1}}
runs:
  - {name: program, grid: 2, block: "32,2", args: [buffer:u32:128:range, u32:100]}
  - {name: larger, grid: 4, block: 64, args: [buffer:u32:256, u32:256]}
  - {name: one, launch: kernels.yaml}
tables:
  - rows: run
    mean: deviation
    columns: [{value: launches, published: {program: 2, one: 1.5}, source: a book, compare: ratio}]
END
expect 0 "3 runs, 3 ok" s.yaml --results r.sqlite --json=out.json
grep -q 'published  *ratio' said || fail "the column of quotients has no name"
grep -qE '^  program +1 +2 +0\.50$' said && grep -qE '^  one +3 +1\.500 +2\.00$' said || fail "the quotients are wrong"
grep -qE '^  mean deviation +- +- +100\.0 %$' said || fail "the mean deviation is wrong"
jq -e '[.runs[].result.warp_instructions] | .[1] > .[0]' out.json >jq.out || fail "all programs do the same"
jq -e '.tables[0].rows[3].cells[0].deviation | . - 100 | fabs < 1e-9' out.json >jq.out || fail "the JSON has another deviation"
sed -i 's/grid: 2/grid: 1/' s.yaml
expect 0 "program" s.yaml --results r.sqlite --list
grep -q '^missing .*program' said || fail "another grid has the same result"
sed -i 's/kernel: fine/kernel: none/' s.yaml
expect 2 's.yaml:9: of run one, there is no kernel none' s.yaml --results r.sqlite --only one

echo "bad suites"
bad() {
  printf '%b' "$2" >bad.yaml
  expect 2 "bad.yaml:$1" bad.yaml --results r.sqlite
}
one='runs: [{name: a, launch: launch.yaml, engine: ref}]\n'
axis=$one'matrix: {size: {1: {}, 2: {}}}\n'
bad "1: unknown key \"run\"" 'run: []\n'
bad "1: a suite needs runs" 'title: x\n'
bad "1: there are no runs" 'runs: []\n'
bad "1: a run needs a name" 'runs: [{launch: x.yaml}]\n'
bad "3: \"a\" is there twice" 'runs:\n- {name: a, launch: launch.yaml}\n- {name: a}\n'
bad "1: run a has no launch description" 'runs: [{name: a}]\n'
bad "1: run a: grid, block and args are for programs" 'runs: [{name: a, launch: launch.yaml, grid: 2}]\n'
bad '1: "buffer:u8:4:data.bin" is no argument' 'runs: [{name: a, launch: faults.cl, args: ["buffer:u8:4:data.bin"]}]\n'
bad "1: run a: cannot read " 'runs: [{name: a, launch: none.yaml}]\n'
bad "1: run a: " 'runs: [{name: a, launch: launch.yaml, params: {m: 1}}]\n'
bad "1: in \"x\": there is no name" 'runs: [{name: a, launch: launch.yaml, params: {n: x}}]\n'
bad "1: run.engine must be" 'runs: [{name: a, launch: launch.yaml, engine: fast}]\n'
bad "1: sms must be 1 to 64" 'runs: [{name: a, launch: launch.yaml, set: {sms: 65}}]\n'
bad "1: there is no configuration key \"sm\"" 'runs: [{name: a, launch: launch.yaml, set: {sm: 6}}]\n'
bad "1: timeout (seconds) must be more than 0" 'runs: [{name: a, launch: launch.yaml, timeout: 0}]\n'
bad "2: \"set\" is a setting" "${one}matrix: {set: {1: {}}}\n"
bad "2: axis size has no values" "${one}matrix: {size: {}}\n"
bad "3: axis size has no value \"3\"; it has 1, 2" "${axis}exclude: [{size: 3}]\n"
bad "3: what is included needs a run" "${axis}include: [{size: 1}]\n"
bad "3: two runs are named a/1" "${axis}include: [{run: a, size: 1}]\n"
bad "3: \"a b\" is not a path" "${axis}columns: [a b]\n"
bad "3: columns: the result has no number \"cyles\"; there are parameters., sms" "${axis}columns: [cyles]\n"
bad "3: a table needs rows" "${axis}tables: [{columns: run}]\n"
bad "3: rows: there is no axis \"x\"; there are run, size" "${axis}tables: [{rows: x}]\n"
bad "3: a column needs a value" "${axis}tables: [{rows: size, columns: run}]\n"
bad "3: a cell of this column is not one run: a/1 or a/2" "${axis}tables: [{rows: run, columns: [{value: cycles}]}]\n"
bad "3: a change needs of:" "${axis}tables: [{rows: size, columns: run, value: cycles, form: change}]\n"
bad "3: against must be a list" "${axis}tables: [{rows: size, columns: run, value: cycles, against: {size: 1}}]\n"
bad "3: axis size has no value \"3\"; it has 1, 2" "${axis}tables: [{rows: size, columns: run, value: cycles, against: [{size: 1}, {size: 3}]}]\n"
bad "3: \"of.\" needs of:" "${axis}tables: [{rows: size, columns: run, value: cycles / of.cycles}]\n"
bad "3: an expression over two runs is no speedup" "${axis}tables: [{rows: size, columns: run, value: cycles / of.cycles, of: {size: 1}, form: speedup}]\n"
bad "3: of run a/1, in \"cycles / of.x\": the result has no number \"of.x\"" "${axis}tables: [{rows: size, columns: run, value: cycles / of.x, of: {size: 1}}]\n"
bad "3: a published range has two ends" "${axis}tables: [{rows: size, columns: [{value: cycles, published: {1: [2]}, source: x}]}]\n"
bad "3: a published range ends before it begins" "${axis}tables: [{rows: size, columns: [{value: cycles, published: {1: [3, 2]}, source: x}]}]\n"
bad "3: published figures need their source" "${axis}tables: [{rows: size, columns: [{value: cycles, published: {1: 2}}]}]\n"
bad "3: unknown key \"9\" in published" "${axis}tables: [{rows: size, columns: [{value: cycles, published: {9: 2}}]}]\n"
bad "3: mean must be one of none, arithmetic" "${axis}tables: [{rows: size, columns: run, value: cycles, mean: above}]\n"
bad "3: unknown key \"above 3\" in published" "${axis}tables: [{rows: size, mean: above 2, columns: [{value: cycles, published: {above 3: 2}, source: x}]}]\n"
bad "3: in \"row.x + 1\": no column to the left is named x" "${axis}tables: [{rows: size, columns: [{value: row.x + 1}, {value: cycles, name: x}]}]\n"
bad "3: two columns are named x" "${axis}tables: [{rows: size, columns: [{value: cycles, name: x}, {value: cycles, name: x}]}]\n"
bad "3: least: no column to the left is named y" "${axis}tables: [{rows: size, columns: [{value: cycles, name: x}, {least: [x, y]}]}]\n"
bad "3: points need x and y" "${axis}tables: [{rows: size, columns: [{value: cycles, name: x}], plot: {style: points, points: [{x: x}]}}]\n"
bad "3: y: no column is named y" "${axis}tables: [{rows: size, columns: [{value: cycles, name: x}], plot: {style: points, points: [{x: x, y: y}]}}]\n"
bad "3: points and front are for plots of style points" "${axis}tables: [{rows: size, columns: run, value: cycles, plot: {front: true}}]\n"
bad "3: each must be one of run, kernel" "${axis}tables: [{rows: size, columns: run, value: cycles, each: warp}]\n"
bad "3: published figures are of runs" "${axis}tables: [{rows: size, each: kernel, columns: [{value: cycles, published: {1: 2}, source: x}]}]\n"
bad "3: of run a/1, in \"memory.dram.read\": the result has no number \"memory.dram.read\"; there are reads, writes" "${axis}tables: [{rows: size, columns: run, value: memory.dram.read}]\n"
bad "3: of run a/1, in \"cyles\": the result has no number \"cyles\"; there are parameters., sms" "${axis}tables: [{rows: size, columns: run, value: cyles}]\n"
expect 2 "there is no suite none; there are buddy, buddy_factors, calibration, compare" none --results r.sqlite
expect 2 "which suite?" --list
expect 2 "cannot write nowhere/x.html" s.yaml --results r.sqlite --html nowhere/x.html
