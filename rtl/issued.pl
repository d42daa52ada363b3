#!/usr/bin/perl
# Leaves what the members of a verilated cluster issue apart, in place:
#
#   issued.pl MEMBERS HEADER SOURCE...
#
# Pins that are as wide as the members there are would be put together from their parts in each
# cycle, to be taken apart again.  The instructions' outputs get a field issued[member][output]
# instead, in the order of csim/ports/buddy_member.def, and the pins are nobody's.  Where a model
# does more with them than that, it stays as it is: a warning tells.
use strict;
use warnings;

my ($members, $header, @sources) = @ARGV;
my @outputs = map { my $slot = $_; map { "iss${slot}_${_}_o" } qw(valid inst pc mask) } 0, 1;
my %number = map { $outputs[$_] => $_ } 0 .. $#outputs;
my $output = join '|', @outputs;

my %text;
for my $file ($header, @sources) {
  open my $in, '<', $file or die "issued.pl: $file: $!\n";
  local $/;
  $text{$file} = <$in>;
  close $in;
}
$text{$header} =~ s/(\n    struct \{\n)/$1        QData issued[$members][8];\n/
  or die "issued.pl: $header: no fields\n";
for my $source (@sources) {
  $text{$source} =~ s{vlSelf->($output)(?:\[\w+\])?\s*=\s*([^;]*?\b(\w+__Vcellout__g_member__BRA__(\d)__KET____DOT__u_member__\1)\b[^;]*);}
    {"vlSelf->issued[$4][$number{$1}] = " . ($2 =~ /vlSelf->$3/ ? 'vlSelf->' : '') . "$3;"}ge;
  if ($text{$source} =~ /^(?!.*\bVL_RAND_RESET_\w+\().*\bvlSelf->($output)\b/m) {
    warn "issued.pl: $source: more than parts of $1\n";
    exit;
  }
}
for my $file (keys %text) {
  open my $out, '>', $file or die "issued.pl: $file: $!\n";
  print $out $text{$file};
  close $out or die "issued.pl: $file: $!\n";
}
