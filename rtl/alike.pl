#!/usr/bin/perl
# Finds what is alike in the members of a cluster that follow the first, in a verilated model:
#
#   alike.pl MEMBERS STEADY_DEF HEADER SOURCE... >ALIKE_DEF
#
# While all follow, they hear the same: the registers of their downlinks and what comes of them hold
# the same values.  To each function NAME that calls processes a second one is added, NAME_alike,
# which computes for the first follower alone what would be the same for the others, and reads it in
# its place.  It may be used from when the pairs that are told on the output, ALIKE(other, first),
# are equal and STEADY_DEF's first version holds; afterwards the others have to be given the values
# of the first.
#
# A signal is alike if all assignments to it are, word by word, the first follower's, with the
# names of the others' signals that are alike replaced: in the same functions, under the same
# conditions, of what was assigned equally often before; and if all that read it find the same
# number of assignments to the first's before them.  What STEADY_DEF assumes at a function's start
# is replaced by its value until it is assigned.  Of a model with text that is not understood, nothing
# is: a warning tells which.
use strict;
use warnings;
no warnings 'portable';

my ($members, $def, $header, @sources) = @ARGV;

sub contents {
  my ($name) = @_;
  open my $in, '<', $name or die "alike.pl: $name: $!\n";
  local $/;
  return scalar <$in>;
}

my ($fields, $steady) = (contents($header), contents($def));
my $cluster = 'buddy_cluster__DOT__';
my (%rows, %type);    # of arrays; of all
$rows{$2} = $1 while $fields =~ /VlUnpacked<[^<>]*, (\d+)>\s+(\w+);/g;
$type{$2} = $1 while $fields =~ /(\w+\/\*\d+:0\*\/) (\w+);/g;
my %holds;   # what the first version assumes, and its value; of what others assume undef
while ($steady =~ /^(?:HOLDS|INPUT)\((\d), (\w+(?:\[\d+\])?), (.*)\)$/mg) {
  my ($version, $name, $value) = ($1, $2, $3);
  $value =~ s/FOLLOWERS/2 ** $members - 2/e;
  $holds{$name} = $version == 1 ? eval $value : undef;
}

# The first follower's signal of one of another follower: of the links and members by name, and of
# the rows `heard by * MEMBERS + leader` of the cluster's arrays by number.
sub first_of {
  my ($name) = @_;
  return $name if $name =~ s/((?:g_from__BRA__0__KET____DOT__g_to|g_member)__BRA__)[2-7](__KET__)/${1}1$2/;
  return undef if $name !~ /^(${cluster}\w+)\[(\d+)\]$/ || ($rows{$1} // 0) != $members ** 2;
  return $2 % $members == 0 && $2 > $members ? "$1\[$members]" : undef;
}

# Names in an expression: array[row] if the row is a constant, else the array; locals, too.
my $names = qr/vlSelf->(\w+)(?:\s*\[(0x[0-9a-f]+|\d+)U\])?|(?<![\w>])(__V\w+|${cluster}\w+)/;
my %opaque;    # what is read or written otherwise than by name
sub name_of {
  my ($name, $row, $local) = @_;
  return $local if defined $local;
  if (defined $row && exists $rows{$name}) {
    return $name . '[' . ($row =~ /^0x/ ? hex $row : $row) . ']';
  }
  $opaque{$name} = 1 if defined $row || exists $rows{$name};
  return $name;
}
sub names_in {
  my ($expression) = @_;
  my @found;
  push @found, name_of($1, $2, $3) while $expression =~ /$names/g;
  return @found;
}
# Whether it has more than names, constants and operators, so that it might change something or be
# another value the next time: calls, assignments, names of an unknown kind.
sub acts {
  my ($expression) = @_;
  $expression =~ s/$names/0/g;
  return $expression =~ /\b(?!(?:VL_(?:UN)?LIKELY|[CSIQ]Data|\w+__ConstPool__\w+)\b)[A-Za-z_]/ ||
    $expression =~ /(?<![=!<>])=(?!=)|(?:<<|>>)=|\+\+|--/;
}

# A function's statements in their order: conditions and assignments, of which each tells those it
# is under as pairs of the condition and which way it goes; `reads`: names, and how often each was
# assigned before; `from`, `to`: where it stands.  What loops or acts is neither.
my $parens = qr/(\((?:[^(){}]++|(?-1))*+\))/;
my $unread;    # what is not understood, if anything
sub statements {
  my ($body) = @_;
  my (@statements, @path, %locals);
  my $other = sub {
    my ($text, $from, $to, @under) = @_;
    return (kind => 'other', text => $text, from => $from, to => $to,
            under => [grep { $_->[0] >= 0 } (map { @$_ } @path), @under]);
  };
  while ($body =~ /\G(?:\s|VL_DEBUG_IF.*|if\ \(false && vlSelf\)\ \{\}|\/\/.*)*(?:(if|for)\ $parens\s*\{|(\})(?:\s*else\s*(?:if\ $parens\s*)?(\{))?|(\{)|([^{};]*;))/gc) {
    my ($word, $condition, $closed, $else_if, $else, $block, $statement) = ($1, $2, $3, $4, $5, $6, $7);
    my $from = defined $statement ? $-[7] : 0;
    my $to = pos $body;
    my @under;
    if (defined $closed) {
      @under = @{pop @path};
      next if !defined $else;
      $under[-1] = [$under[-1][0], 0];
      $condition = $else_if;
    } elsif (defined $word && $word eq 'for') {
      push @statements, {$other->($condition, 0, 0)};
      push @path, [[-1, 1]];
      next;
    }
    if (!defined $statement) {
      if (defined $condition) {
        if (acts($condition)) {
          push @statements, {$other->($condition, 0, 0, @under)};
          $condition .= '#' . @statements;
        }
        push @statements, {kind => 'if', text => $condition};
        push @under, [$#statements, 1];
      }
      push @path, [@under];
      next;
    }
    if ($statement =~ /^([CSIQ]Data\/\*\d+:0\*\/) (\w+);$/) {
      $unread //= "two locals $2" if $locals{$2}++;
      $opaque{$2} = 1 if ($type{$2} //= $1) ne $1;
      push @statements, {kind => 'local', left => $2, text => '', from => $from, to => $to};
      next;
    }
    my %new = $other->($statement, $from, $to);
    if (!grep({ $_->[0] < 0 } map { @$_ } @path) && $statement =~ /^$names\s*=(?!=)\s*/) {
      my ($left, $right) = (name_of($1, $2, $3), substr $statement, $+[0]);
      @new{qw(kind left text)} = ('set', $left, $right) if !exists $rows{$left} && !acts($right);
    }
    push @statements, \%new;
  }
  my $rest = substr $body, pos $body // 0;
  $unread //= substr $rest, 0, 60 if $rest =~ /\S/;
  # What might be read or changed otherwise, and what jumps.
  for (map { $_->{text} } @statements) {
    $unread //= $_
      if /\bvlSelf\b(?!->\w)|\bvlSymsp\b(?! VL_ATTR_UNUSED|;)|"|\/\/|\b(?:goto|return|break|continue)\b/;
  }
  return \@statements;
}

# An expression with what is known in the place of names, for others the number of assignments,
# and for those that are alike the first's name.
my %alike;
sub plain {
  my ($statement, $replace) = @_;
  my @reads = @{$statement->{reads}};
  (my $e = $statement->{text}) =~ s{$names}{
    my ($name, $before) = @{shift @reads};
    my $word = defined $2 && $name !~ /\[/ ? "[$2]" : '';
    $name = $alike{$name} // $name if $replace;
    $before == 0 && defined $holds{$name} ? "<$holds{$name}>" : "<$name\@$before>$word"}ge;
  $e =~ s/\s+//g;
  $e =~ s/\((\d+)U&\(IData\)\(<(\d+)>\)\)\?/((0 + $1) & (0 + $2)) != 0 ? '1?' : '0?'/ge;
  return $e;
}
# Whether a condition is true, if it has nothing but constants and operators that need no width, or
# is the same for 32 and 64 bits; undef else.
sub known {
  my ($e) = @_;
  $e =~ s/<(\d+)>/$1/g;
  return undef if $e =~ /<<|[-+*\/%#]|(?<!\()~/;
  $e =~ s/\([CSIQ]Data\)//g;
  $e =~ s/\b(0x[0-9a-f]+|\d+)U?L*\b/$1/g;
  return undef if $e =~ /[a-wyzA-Z_@?]/;
  my ($value, $short) = map { scalar eval } $e, $e =~ s/~/4294967295^/gr;
  return defined $value && $value == $short ? $value != 0 : undef;
}

my @functions;
my %text = map { $_ => contents($_) } @sources;
for my $source (@sources) {
  while ($text{$source} =~ /^(?:VL_INLINE_OPT|inline) void (\w+___nba_\w+)(\(\w+\* vlSelf\) )(\{(?:[^{}]++|(?3))*+\})/mg) {
    my %f = (source => $source, name => $1, arguments => $2, body => substr $3, 1, -1);
    $f{statements} = statements($f{body});
    my %before;
    for my $s (@{$f{statements}}) {
      my @read = names_in($s->{text});
      $s->{dead} = grep { my $known = $f{statements}[$_->[0]]{known};
                          defined $known && $known != $_->[1] } @{$s->{under} // []};
      $s->{reads} = [map { [$_, $before{$_} // 0] } @read];
      if ($s->{kind} eq 'if') {
        $s->{known} = known(plain($s, 0));
      } elsif ($s->{kind} eq 'other') {
        @opaque{@read} = (1) x @read;
        for my $name (@read) {
          $before{$_}++ for $name, map { "$name\[$_]" } 0 .. ($rows{$name} // 0) - 1;
        }
      } elsif ($s->{kind} eq 'set' && !$s->{dead}) {
        $before{$s->{left}}++;
        $before{$1}++ if $s->{left} =~ /^(\w+)\[/;
      }
    }
    push @functions, \%f;
  }
}

my %sets;    # assignments of each signal that are reached
for my $f (@functions) {
  push @{$sets{$_->{left}}}, [$f, $_] for grep { $_->{kind} eq 'set' && !$_->{dead} } @{$f->{statements}};
}
for my $name (keys %sets) {
  my $first = first_of($name) // next;
  my @arrays = map { /^(\w+)\[/ ? $1 : () } $name, $first;
  next if !$sets{$first} || grep { $opaque{$_} || exists $holds{$_} } $name, $first, @arrays;
  next if defined first_of($first) || ($type{$name} // '') ne ($type{$first} // '');
  # Registers of front ends are looked at from outside.
  $alike{$name} = $first if $name !~ /u_frontend__DOT__\w*_q(?:\[\d+\])?$/;
}

# An assignment with all that it depends on.
sub whole {
  my ($replace, $f, $s) = @_;
  return join ' ', $f->{name},
    (map { plain($f->{statements}[$_->[0]], $replace) . $_->[1] }
      grep { !defined $f->{statements}[$_->[0]]{known} } @{$s->{under}}),
    plain($s, $replace);
}
my $before;
do {
  $before = keys %alike;
  for my $name (sort keys %alike) {
    my $others = join ';', map { whole(1, @$_) } @{$sets{$name}};
    my $firsts = join ';', map { whole(0, @$_) } @{$sets{$alike{$name}}};
    delete $alike{$name} if $others ne $firsts;
  }
  for my $f (@functions) {
    my (%count, @early); # the latter: what a condition would find otherwise
    for my $n (0 .. $#{$f->{statements}}) {
      my $s = $f->{statements}[$n];
      next if $s->{dead} || defined $s->{known} || $s->{kind} eq 'local';
      my @changed = grep { defined $alike{$_->[0]} && ($count{$alike{$_->[0]}} // 0) != $_->[1] } @{$s->{reads}};
      if ($s->{kind} eq 'if') {
        $early[$n] = \@changed;
      } elsif (!defined $s->{left} || !defined $alike{$s->{left}}) {
        delete $alike{$_->[0]} for @changed, map { @{$early[$_->[0]] // []} } @{$s->{under}};
      }
      $count{$s->{left}}++ if $s->{kind} eq 'set';
    }
  }
} while (keys %alike < $before);
if (defined $unread) {
  warn "alike.pl: nothing is alike, cannot read: $unread\n";
  %alike = ();
}

for my $f (@functions) {
  my $body = $f->{body};
  for my $s (reverse @{$f->{statements}}) {
    substr $body, $s->{from}, $s->{to} - $s->{from}, ''
      if $s->{kind} =~ /set|local/ && defined $alike{$s->{left}};
  }
  $body =~ s{$names}{
    my $all = $&;
    my $first = $alike{name_of($1, $2, $3)};
    defined $first ? (defined $3 ? '' : 'vlSelf->') . $first =~ s/\[(\d+)\]/[$1U]/r : $all}ge;
  $text{$f->{source}} .= "\ninline void $f->{name}_alike$f->{arguments}\{$body}\n";
}
for my $source (@sources) {
  open my $out, '>', $source or die "alike.pl: $source: $!\n";
  print $out $text{$source};
  close $out or die "alike.pl: $source: $!\n";
}
for my $name (sort keys %alike) {
  (my $field = $name) =~ s/\[.*//;
  print "ALIKE($name, $alike{$name})\n" if $fields =~ /\b$field;/;
}
