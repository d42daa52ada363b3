# Tables of a results file: a section a group, a row a function, a column a type.
function cell(group, name, type,   key) {
  key = group SUBSEP name SUBSEP type
  if (!(key in seen))
    return "-"
  if (key in wrong)
    return wrong[key]
  return worst[key] > 0 ? sprintf("%.2f", worst[key]) : "0"
}
{
  name = $2
  sub(/_rt[ezpn]$/, "", name)
  key = $1 SUBSEP name SUBSEP $3
  seen[key] = 1
  if ($5 != "right")
    wrong[key] = $5
  if ($7 > worst[key])
    worst[key] = $7
  if (!(($1, $3) in has)) {
    has[$1, $3] = 1
    types[$1] = types[$1] " " $3
  }
  if (!(($1, name) in has)) {
    has[$1, name] = 1
    names[$1] = names[$1] " " name
    if (!index(groups " ", " " $1 " "))
      groups = groups " " $1
  }
  if ($6 > 0)
    allowed[$1, name] = allowed[$1, name] (index(" " allowed[$1, name] ",", " " $3 " ") ? "" : (allowed[$1, name] ? ", " : "") $3 " " $6)
  variants[$1]++
}
END {
  ngroups = split(groups, group, " ")
  for (g = 1; g <= ngroups; g++) {
    printf "%s## %s functions\n\n| function |", (g == 1 ? "" : "\n"), toupper(substr(group[g], 1, 1)) substr(group[g], 2)
    ntypes = split("char uchar short ushort int uint long ulong half float double size_t", all, " ")
    n = 0
    for (t = 1; t <= ntypes; t++)
      if ((group[g], all[t]) in has)
        type[++n] = all[t]
    for (t = 1; t <= n; t++)
      printf " %s |", type[t]
    printf " bound |\n| --- |"
    for (t = 1; t <= n + 1; t++)
      printf " --- |"
    print ""
    nnames = split(names[group[g]], list, " ")
    for (k = 1; k <= nnames; k++) {
      printf "| `%s` |", list[k]
      for (t = 1; t <= n; t++)
        printf " %s |", cell(group[g], list[k], type[t])
      bound = allowed[group[g], list[k]]
      print " " (bound == "" ? "exact" : bound) " |"
    }
  }
}
