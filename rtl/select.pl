#!/usr/bin/perl
# Makes selections of small conditions in a verilated model, in place:
#
#   select.pl FILE...
#
#   if (c) { a = x; b = y; } else { a = z; }    becomes    a = c ? x : z; b = c ? y : b;
#
# (harness/shim/moves.h: without branches).  What a cycle brings is as hard to foresee for the
# processor as it is for a scheduler, and a wrong guess costs it more than a few moves.  So where
# each way has at most some, and all can be evaluated whatever the condition is: scalars of the model
# on the left; on the right scalars, constants and elements of constant index; nothing is called.
# More moves than that are so much code that fetching it costs more than the wrong guesses.
use strict;
use warnings;

my $most = 2;      # assignments in each way
my $longest = 420; # characters of an expression, a signal counting as one

my $parens = qr/(\((?:[^(){};]++|(?-1))*+\))/;

# Whether an expression may be evaluated at any time.
sub harmless {
  my ($e) = @_;
  $e =~ s/\((?:[CSIQ]Data)\)//g;
  $e =~ s/\bvlSelf->\w+/S/g;
  $e =~ s/\s+/ /g;
  return 0 if length $e > $longest;
  $e =~ s/\[ ?\w+ ?\]//g if $e !~ /\[ ?(?!(?:0x)?[0-9a-fA-F]+U ?\])/;
  $e =~ s/\b(?:0x[0-9a-fA-F]+|[0-9]+)U?L*\b/1/g;
  return $e =~ /^[S1 ()&|^~<>=!?:+-]*$/;
}

# The assignments of a body as pairs of left and right, or undef if it has others.
sub moves {
  my ($body) = @_;
  my @moves;
  while ($body =~ /\S/) {
    $body =~ s/^\s*(vlSelf->\w+)\s*=\s*([^;]*?)\s*;// or
      $body =~ s/^\s*store\((vlSelf->\w+), (\w+)\);// or return undef;
    return undef if !harmless($2);
    push @moves, [$1, $2];
  }
  return @moves > 0 && @moves <= $most ? \@moves : undef;
}

sub selection {
  my ($all, $condition, $then, $else) = @_;
  my $yes = moves($then);
  my $no = defined $else ? moves($else) : [];
  return $all if !$yes || !$no || !harmless($condition);
  my %other = map { $_->[0] => $_->[1] } @$no;
  my ($text, %done) = ("{ const auto c = $condition;");
  for (@$yes) {
    my ($left, $right) = @$_;
    # One selection, if both ways assign it nothing but constants and the other way does not read
    # it, or assign nothing else.
    my $read = grep { $_->[1] =~ /\Q$left\E\b/ } @$no;
    if (defined $other{$left} &&
        (!$read && "$right $other{$left}" =~ /^\w+ \w+$/ || @$yes + @$no == 2)) {
      $text .= " $left = either(c, $left, $right, $other{$left});";
      $done{$left} = 1;
    } else {
      $text .= " $left = either(c, $left, $right, $left);";
    }
  }
  $text .= " $_->[0] = either(c, $_->[0], $_->[0], $_->[1]);" for grep { !$done{$_->[0]} } @$no;
  return "$text }";
}

for my $file (@ARGV) {
  open my $in, '<', $file or die "select.pl: $file: $!\n";
  local $/;
  my $source = <$in>;
  close $in;
  $source =~ s/((?<!else )if ($parens) \{([^{}]*)\}(?: else \{([^{}]*)\})?(?! else))/selection($1, $2, $4, $5)/ge;
  open my $out, '>', $file or die "select.pl: $file: $!\n";
  print $out $source;
  close $out or die "select.pl: $file: $!\n";
}
