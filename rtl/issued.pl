#!/usr/bin/perl
# Leaves what the members of a verilated cluster issue apart, in place:
#
#   issued.pl MEMBERS HEADER SOURCE...
#
# Pins that are as wide as the members there are would be put together from their parts in each
# cycle, to be taken apart again.  The instructions' outputs get a field issued[member][output]
# instead, in the order of harness/ports/buddy_member.def, and the pins are nobody's.
use strict;
use warnings;

my ($members, $header, @sources) = @ARGV;
my @outputs = map { my $slot = $_; map { "iss${slot}_${_}_o" } qw(valid inst pc mask) } 0, 1;
my %number = map { $outputs[$_] => $_ } 0 .. $#outputs;
my $output = join '|', @outputs;

sub edit {
  my ($file, $change) = @_;
  open my $in, '<', $file or die "issued.pl: $file: $!\n";
  local ($/, $_);
  $_ = <$in>;
  close $in;
  $change->($file);
  open my $out, '>', $file or die "issued.pl: $file: $!\n";
  print $out $_;
  close $out or die "issued.pl: $file: $!\n";
}

for my $source (@sources) {
  edit $source, sub {
    s{vlSelf->($output)(?:\[\w+\])?\s*=\s*([^;]*?\b(\w+__Vcellout__g_member__BRA__(\d)__KET____DOT__u_member__\1)\b[^;]*);}
     {"vlSelf->issued[$4][$number{$1}] = " . ($2 =~ /vlSelf->$3/ ? 'vlSelf->' : '') . "$3;"}ge;
    die "issued.pl: $source: $1 is used otherwise\n"
      if /^(?!.*\bVL_RAND_RESET_\w+\().*\bvlSelf->($output)\b/m;
  };
}
edit $header, sub {
  s/(\n    struct \{\n)/$1        QData issued[$members][8];\n/ or die "issued.pl: $header: no fields\n";
};
