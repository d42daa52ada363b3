# Tables of docs/results/figures.md from the JSON of other commands than `tandem experiment`; $kind names the section.
# A figure that is missing is an error, but for those of `figure`: a dash.

def digits($n):
  pow(10; $n) as $scale | (. * $scale | round) as $r | ($r | fabs | tostring) as $d
  | (if $r < 0 then "-" else "" end) + (if $n == 0 then $d
     else ("0" * ($n + 1 - ($d | length)) // "") + $d | .[:-$n] + "." + .[-$n:] end);
def grouped: if length > 3 then (.[:-3] | grouped) + "," + .[-3:] else . end;
def given: if type == "number" then . else error("a figure is missing: \(.)") end;
def count: given | round | tostring | grouped;
def fixed($n): given | digits($n);
def percent: fixed(1) + " %";
def change: (if . < 0 then "" else "+" end) + percent;
def figure: # a whole number, or three digits
  if . == null then "–" elif . == floor or fabs >= 100 then count
  else fixed(if fabs >= 10 then 1 elif fabs >= 1 then 2 else 3 end) end;
def table($title; $text; $columns; rows):
  "", "## \($title)", "", $text, "", "| | \($columns | join(" | ")) |", "| --- |\(" --- |" * ($columns | length))",
  ([rows | "| \(join(" | ")) |"] | if . == [] then error("\($title): there is no row") else .[] end);

def units($title; $text; $names):
  table($title; "OSU 180 nm, each unit with all below it, from `synth/data/baseline.json`. An Fmax of 0: not timed.\n" + $text;
    ["cells", "area, mm2", "memory bits", "Fmax, MHz"];
    ($names | splits(" ")) as $name | .osu018_stdcells.units[$name]
    | ["`\($name)`", (.cells | count), (.area_um2 | given / 1e6 | fixed(3)), (.memory_bits | count), (.fmax_mhz | fixed(0))]);

# Tables of the report of a feature.
def parts($title; $text):
  table($title; $text; ["in the GPU", "gates", "flip-flops", "memory bits", "leakage", "Fmax, MHz"];
    .parts[] | [.part, (.count, .size.gates, .size.sequential_cells, .size.memory_bits | count),
                (1e3 * .leakage_45nm_w | fixed(2)), (.fmax_mhz | figure)]);
def added($title; $column; $text; name; extra):
  table($title; $text; ["gates an SM", "area", $column, "memory bits", "power of cells"];
    .added[] | select(.feature == $kind)
    | [name, (.gates / .members | count), (.percent | change), extra, (.memory_percent, .power_percent | change)]);
def against($title; $text):
  table($title; "Published, recomputed by other published figures, and of the RTL. A dash: no such figure.\n" + $text;
    ["unit", "published", "recomputed", "ours"];
    .papers[] | select(.feature == $kind) | [.figure, .unit, (.published, .recomputed, .ours | figure)]);

# Power of a member of a run with measured activity.
def power($member):
  [.rows[] | select(.member == $member)] as $rows
  | [(1e3 * ($rows | map(.switching_w + .internal_w + .clock_w) | add) | fixed(1)), (1e3 * ($rows | map(.clock_w) | add) | fixed(1)),
     (1e3 * ($rows | map(.assumed_dynamic_w) | add) | fixed(1)), (1e6 * ($rows | map(.leakage_w) | add) | fixed(2)),
     (1e6 * ($rows | map(.gated_leakage_w) | add) | fixed(2)),
     (1e3 * ([.memories[] | select(.member == $member) | .access_w] | add) | fixed(1))];
def power_columns: ["dynamic, measured", "of it clocks", "dynamic, assumed", "leakage", "with gating", "memories' accesses"];

def named: {"blackscholes": "Black-Scholes", "nbody": "N-body", "bfs": "BFS", "smith_waterman": "Smith-Waterman",
  "stencil2d": "stencil"}[.key];

if $kind == "faults" then
  table("Faults of a stencil processing unit";
    "Seeded faults of `rtl/spu/faults.def` in the descriptions of `tests/kernels/spu/faults` (`tandem bugs --feature spu`):\nthe first cycle in which lockstep sees a difference and where, how many cycles later the outputs alone differ, and what\nnotices the fault without comparison. [Explanation](../models/lockstep.md#deliberate-faults).";
    ["description", "cycle", "first difference", "outputs", "without comparison"];
    .rows[] | . as $row | ["\(.fault), `\(.unit)`: \(.text | sub(":.*"; ""))"] + (.lockstep // null
      | if . == null then ["none", "", "", "", ""] else
          [.program, (.cycle | count), "`\(.where)`",
           (if $row.outputs_only then "+\($row.outputs_only.cycle - .cycle | count)" else "" end),
           ($row.without_comparison | if . == "" then "nothing" else gsub(" "; ", ") end)] end))
elif $kind == "first" then
  .phases as $phase | .processors as $processors
  | table("The first run and the first tests";
      "An empty clone, empty caches, the packages there; \(.processors) cores of \(.processor). A loop is fixed work of\n\($phase.tests.loop * 1000 | round) ms here ([budgets](../../tests/measured.sh)).";
      ["real time, s", "processor time, s", "loops"];
      (["`./tandem run`", "run"], ["`./tandem test`: build", "build"], ["`./tandem test`: tests and their models", "tests"])
      | . as [$name, $key] | $phase[$key] | [$name, (.real, .processor, .loops | count)]),
    table("Models made by the tests"; "Processor seconds of the tools, in the run above.";
      ["models", "yosys", "Verilator", "compiler", "linker"];
      (.kinds[] | [.kind, (.models, .yosys, .verilator, .compiler, .linker | count)])),
    table("The dearest models"; "Of the same run, likewise."; ["yosys", "Verilator", "compiler"];
      (.dearest[] | ["`\(.name)`", (.yosys, .verilator, .compiler | fixed(1))]))
elif $kind == "baseline" then
  units("Units of the front end and of clusters"; "[Method](../hardware/cost.md#method).";
    "sm_frontend scoreboard simt_stack icache ibuffer warp_scheduler barrier fetch decode buddy_member buddy_member_Leads1 park master_port slave_port monitor group_control buddy_cluster_Members2 buddy_cluster_Members4 buddy_cluster_Members8"),
  units("Units of the SPU"; "[Explanation](spu_cost.md).";
    "comm_pair comm_pair_Words4096 comm_sides comm_store comm_bank comm_bank_Rows128 block_port pass_seq spill_chan spu_global_Lanes16_Slots16 iu_dma iu_dma_Stores2 iu_dma_Tags4 dma_control dma_passes dma_walk dma_tags dma_words dma_rotator dma_place spu_slot spu_slot_HasDma0 spu_lane spu_grid spu_grid_Columns4_Rows4 sm_frontend_StackDepth4_Warps8"),
  units("Units of Flex SM"; "[Explanation](flex_cost.md).";
    "sm_frontend_Warps24 flex_member_Left0_Right0 flex_member_Right0 flex_member_Active0 flex_member flex_frontend flex_frontend_Warps24 issue_Causes184549376_Sides2 ibuffer_Loads0_Words0 simt_stack_Outcomes0_Stages1_WarpSize64 flex_context flex_path flex_control flex_dispatch_Link3_Width1024 flex_dispatch_Link1_Width1024 flex_tags flex_map flex_cluster flex_cluster_Members2")
elif $kind == "hardware" then
  table("Logic added by clusters";
    "OSU 180 nm, 100 MHz, assumed activity; area and power of cells, against as many baseline front ends.\n[Method and variants](../hardware/cost.md#method).";
    ["gates an SM", "area", "memory bits", "power"];
    .added[] | select(.feature == "buddy")
    | ["\(.members), \(.variant)", (.gates / .members | count), (.percent, .memory_percent, .power_percent | change)]),
  table("Power of the baseline front end"; "`sm_frontend`, OSU 180 nm, 100 MHz, assumed activity: power in mW.";
    ["cells' power", "memories' accesses", "memories' area, mm2", "Fmax at 45 nm, MHz", "at 40 nm"];
    .units[] | select(.name == "sm_frontend")
    | ["`sm_frontend`", (1e3 * (.power | .internal_w + .switching_w + .leakage_w) | fixed(0)),
       (1e3 * .whole.memory_access_w | fixed(0)), (.whole.memory_area / 1e6 | fixed(2)),
       ((45, 40) as $nm | .scaled[] | select(.nm == $nm) | .fmax_mhz | fixed(0))])
elif $kind == "activity" then
  table("Power with measured activity";
    "Black-Scholes, cycles 1000 to 2000, OSU 180 nm, 100 MHz: mW, leakage in uW.\n[Method](../use/synth.md#measured-activity).";
    power_columns;
    .activity[] as $a
    | ((if $a.way == "baseline" then [[0, "baseline"]]
        else [[0, "\($a.way), leader"], [1, "\($a.way), follower"], [2, "\($a.way), links and control"]] end)[]) as [$m, $name]
    | [$name] + ($a | power($m))),
  table("Power of links"; "The same run: wires of the links of the pair, grouped, low swing, uW.\n[Method](../use/synth.md#measured-activity).";
    ["power", "changes a flit"];
    .activity[] | select(.way == "grouped") | .links[]
    | [["downlink", "uplink"][.from], (1e6 * .low_swing_w | fixed(0)), (.changes / .flits | fixed(1))])
elif $kind == "quiet" then
  table("Power of front ends that issue little";
    "`sm_frontend` in cycles 1000 to 2000, otherwise as above. Idle: no CTA. Stalled: all 48 warps wait for loads\n(`docs/figures/quiet.cl`). A gated follower is in the table above.";
    power_columns;
    to_entries[] | [.key] + (.value | power(0)))
elif $kind == "spu" then
  parts("Parts of the SPU";
    "OSU 180 nm: each part of a 4 x 4 grid once, and how often the GPU has it; leakage at 45 nm, mW.\nA dash: not timed. [Explanation](spu_cost.md)."),
  added("Logic added by the SPU"; "KB of memories";
    "OSU 180 nm, 100 MHz, assumed activity: a 4 x 4 grid against 16 baseline front ends. [Explanation](spu_cost.md).";
    .variant; .memory_bits / 8192 | count),
  against("The SPU's cost against the thesis"; "[Explanation](spu_cost.md).")
elif $kind == "flex" then
  parts("Parts of Flex SM";
    "OSU 180 nm: each part once, and how often 12 SMs in clusters of six have it; leakage at 45 nm, mW.\nA dash: not timed. [Explanation](flex_cost.md)."),
  added("Logic added by Flex SM"; "mm2 a GPU, 45 nm";
    "OSU 180 nm, 100 MHz, assumed activity: clusters against as many front ends of 24 warps.\n[Explanation](flex_cost.md).";
    "\(.members), \(.variant)"; .area_gpu_mm2_45nm | fixed(3)),
  against("Flex SM's cost against the paper"; "[Explanation](flex_cost.md).")
else
  "", "Processor of the measurements of speed: \($processor).",
  table("Speed"; "`tandem bench`: 16 SMs, two host threads. [Measurements](../use/speed.md#measuring).";
    ["lockstep, kHz", "reference alone, kHz", "clusters of four / no sharing", "one thread / two", "comparison and ISS", "peak memory, MiB"];
    .kernels | to_entries[] | .value as $v
    | [named, ($v | (.lockstep.khz, .ref.khz | fixed(1)), (.buddy_ratio, .thread_speedup | fixed(2)),
                   (100 * .check_share | percent), ([.lockstep.peak_kib, .ref.peak_kib] | max / 1024 | fixed(0)))]),
  table("Threads";
    "`tandem bench`, lockstep: seconds of a run on one, two and four host threads, with the machine free and beside a\nprocess that keeps a processor busy. [Threads](../use/speed.md#threads).";
    ["1", "2", "4", "1, busy", "2, busy", "4, busy"];
    .kernels | to_entries[] | .value.threads as $v
    | [named, ($v | (.free, .busy) | ."1", ."2", ."4" | fixed(2))]),
  table("Time of a simulated cycle";
    "`tandem bench`, lockstep on one thread without sharing: microseconds of the host a cycle of 16 SMs, by\n[part](../use/speed.md#measuring).";
    ["rtl", "ref", "backend", "memory", "iss", "compare", "other"] | map("`\(.)`");
    .kernels | to_entries[] | .value.lockstep_one_thread as $v
    | [named, (1e6 * ($v.wall | .rtl, .ref, .backend, .memory, .iss, .compare, .other) / $v.cycles | fixed(2))])
end
