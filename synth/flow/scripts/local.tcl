# Names for files that every command of yosys and OpenSTA takes: some take a name apart at blanks, or read
# it as a pattern.  `local PATH ENDING` is a link in the current folder, and gives its name.
set locals 0
proc local {path ending} {
  global locals
  set name in[incr locals]$ending
  file link -symbolic $name $path
  return $name
}
