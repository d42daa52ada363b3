/* Clocks, pins and state of a verilated model of any unit.  Expects MODEL, MODEL_H, ROOT_H
 * and SYMS_H. */
#ifndef TANDEM_SHIM_MODEL_H
#define TANDEM_SHIM_MODEL_H

#include MODEL_H
#include ROOT_H
#include SYMS_H

#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <type_traits>

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define QUOTE_(x) #x
#define QUOTE(x) QUOTE_(x)

/* A combinational unit has neither clock nor reset. */
template <class M> auto set_clock(M &m, unsigned v, int) -> decltype(m.clk_i, void()) {
  m.clk_i = v & 1;
}
template <class M> void set_clock(M &, unsigned, long) {}
template <class M> auto set_reset(M &m, unsigned v, int) -> decltype(m.rst_ni, void()) {
  m.rst_ni = v & 1;
}
template <class M> void set_reset(M &, unsigned, long) {}

/* Switches seeded fault n on (0: none), which is a variable of the package (`FAULT), or mutant n,
 * which is an input; -1 if the model has neither and n is not 0.  A fault counts from the next
 * clock edge on. */
template <class M>
auto set_bug(M &m, unsigned n, int) -> decltype(m.__PVT__tandem_pkg->fault, int()) {
  m.__PVT__tandem_pkg->fault = static_cast<uint8_t>(n);
  return 0;
}
template <class M> auto set_bug(M &m, unsigned n, long) -> decltype(m.bug_i, int()) {
  m.bug_i = static_cast<std::decay_t<decltype(m.bug_i)>>(n);
  m.eval();
  return 0;
}
template <class M> int set_bug(M &, unsigned n, ...) { return n ? -1 : 0; }

/* The clock edges of a core cycle whose inputs are applied.  With a NoC clock of twice the core
 * clock's frequency, aligned, the cycle ends with a rising edge of both, and in its middle the
 * NoC's rises alone.  after(q) is called after each evaluation, q quarters of a cycle behind the
 * core clock's rising edge. */
template <class M, class After>
auto step_clocks(M &m, const After &after, int) -> decltype(m.noc_clk_i, void()) {
  static constexpr struct { unsigned char core, noc; } edges[] = {{1, 0}, {0, 1}, {0, 0}, {1, 1}};
  for (int quarter = 0; quarter < 4; quarter++) {
    m.clk_i = edges[quarter].core;
    m.noc_clk_i = edges[quarter].noc;
    m.eval();
    after(quarter - 3);
  }
}
template <class M, class After> void step_clocks(M &m, const After &after, long) {
#ifdef NETLIST
  m.eval(); /* latches of clock gates take their enables before the edge */
#endif
  set_clock(m, 1, 0);
  m.eval();
  after(0);
  set_clock(m, 0, 0);
  m.eval();
  after(2);
}

/* A model starts with random clocks. */
template <class M> auto lower_clocks(M &m, int) -> decltype(m.noc_clk_i, void()) {
  m.clk_i = 0;
  m.noc_clk_i = 0;
}
template <class M> void lower_clocks(M &m, long) { set_clock(m, 0, 0); }

/* Values of pins and signals: up to 64 bits; of wider ones the lower 64, and those above. */
template <class T> void pin_put(T &pin, uint64_t value) { pin = static_cast<T>(value); }
template <std::size_t N> void pin_put(VlWide<N> &pin, uint64_t value) {
  pin[0] = static_cast<EData>(value);
  pin[1] = static_cast<EData>(value >> 32);
}
template <class T> uint64_t pin_get(const T &pin) { return pin; }
template <std::size_t N> uint64_t pin_get(const VlWide<N> &pin) {
  return static_cast<uint64_t>(pin[1]) << 32 | pin[0];
}
/* Pins of words, in C arrays. */
template <std::size_t Words, std::size_t N>
void pin_put(VlWide<N> &pin, const uint64_t (&value)[Words]) {
  static_assert(N == 2 * Words, "a pin of words has all their bits");
  for (std::size_t i = 0; i < N; i++)
    pin[i] = static_cast<EData>(value[i / 2] >> i % 2 * 32);
}
template <std::size_t Words, std::size_t N>
void pin_read(const VlWide<N> &pin, uint64_t (&to)[Words]) {
  static_assert(N == 2 * Words, "a pin of words has all their bits");
  for (std::size_t i = 0; i < Words; i++)
    to[i] = static_cast<uint64_t>(pin[2 * i + 1]) << 32 | pin[2 * i];
}
template <class T> void pin_read(const T &pin, uint64_t &to) { to = pin_get(pin); }
template <class T> void pin_put_high(T &, uint64_t) {}
inline void pin_put_high(VlWide<4> &pin, uint64_t value) {
  pin[2] = static_cast<EData>(value);
  pin[3] = static_cast<EData>(value >> 32);
}
template <class T> uint64_t pin_high(const T &) { return 0; }
inline uint64_t pin_high(const VlWide<4> &pin) {
  return static_cast<uint64_t>(pin[3]) << 32 | pin[2];
}

/* Warps of the model: a view has none of those that it has less than 48. */
#ifndef P_Warps
#define P_Warps 48
#endif

/* State views: a vector, or an array of vectors, which may have fewer rows than the table if
 * its parameters are smaller; then the others are 0. */
template <class T> void read_state(uint64_t (&to)[1], const T &from) { to[0] = from; }
template <class T, std::size_t N, std::size_t Rows>
void read_state(uint64_t (&to)[N], const VlUnpacked<T, Rows> &from) {
  for (std::size_t i = 0; i < N && i < Rows && (N != 48 || i < P_Warps); i++)
    to[i] = pin_get(from[i]);
}
template <std::size_t Words, std::size_t N>
void read_state(uint64_t (&to)[Words], const VlWide<N> &from) {
  pin_read(from, to);
}
/* An array of which a netlist has a register a row. */
template <std::size_t N, class First, class... More>
void read_state(uint64_t (&to)[N], const First &first, const More &...more) {
  static_assert(1 + sizeof...(More) <= N, "the view has room");
  const uint64_t rows[] = {pin_get(first), pin_get(more)...};
  std::copy(std::begin(rows), std::end(rows), to);
}
/* A field of each row of an array, `rows | bits(at, width)`: what the row has of the `width` bits,
 * up to 64, from bit `at` on; both are whole halves of a word. */
struct bits {
  unsigned at, width;
  bits(unsigned from, unsigned n) : at(from), width(n) {}
};
template <class T, std::size_t Rows> struct bits_of {
  const VlUnpacked<T, Rows> &rows;
  bits field;
};
template <class T, std::size_t Rows>
bits_of<T, Rows> operator|(const VlUnpacked<T, Rows> &rows, bits field) {
  return {rows, field};
}
template <class T> uint64_t pin_bits(const T &row, bits field) {
  const uint64_t v = field.at < 8 * sizeof row ? row >> field.at : 0;
  return field.width < 64 ? v & ~(~UINT64_C(0) << field.width) : v;
}
template <std::size_t N> uint64_t pin_bits(const VlWide<N> &row, bits field) {
  uint64_t v = 0;
  for (unsigned n = 0, at = field.at; n < field.width && at < 32 * N; n += 16, at += 16)
    v |= static_cast<uint64_t>(row[at / 32] >> at % 32 & 0xffff) << n;
  return v;
}
template <class T, std::size_t N, std::size_t Rows>
void read_state(uint64_t (&to)[N], const bits_of<T, Rows> &from) {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < N && i < Rows && (N != 48 || i < P_Warps); i++)
    to[i] = pin_bits(from.rows[i], from.field);
}
/* A field of the rows of the warps in a set; of the others 0. */
template <class T, std::size_t N, std::size_t Rows>
void read_some(uint64_t (&to)[N], const bits_of<T, Rows> &from, uint64_t warps) {
  for (std::size_t i = 0; i < N; i++)
    to[i] = i < Rows && (warps >> i & 1) != 0 ? pin_bits(from.rows[i], from.field) : 0;
}

/* An evaluation in reset: the first one runs `initial` blocks. */
template <class M> void hold_reset(M &m) {
  lower_clocks(m, 0);
  set_reset(m, 0, 0);
  m.eval();
}

/* A reset pulse over one clock cycle. */
template <class M> void pulse_reset(M &m) {
  lower_clocks(m, 0);
  set_reset(m, 1, 0);
  m.eval();
  set_reset(m, 0, 0);
  m.eval();
  step_clocks(
      m, [](int) {}, 0);
  set_reset(m, 1, 0);
  m.eval();
}

/* A model in a context of its own, its uninitialised state random by the seed.  Verilator's
 * generator is one for the thread and is restarted by any context's randSeed, hence the lock. */
template <class M> struct seeded_model {
  VerilatedContext context;
  M *m;

  explicit seeded_model(uint64_t seed) {
    static std::mutex lock;
    std::lock_guard<std::mutex> guard(lock);
    /* 0 would mean a seed from the system. */
    int s = static_cast<int>((seed ^ seed >> 31 ^ seed >> 62) & 0x7fffffff);
    context.randReset(2);
    context.randSeed(s ? s : 1);
    context.assertOn(false);
    Verilated::threadContextp(&context);
    m = new M{&context, "TOP"};
  }
  ~seeded_model() {
    /* The model signs off at the thread's context, which may be another's, and gone. */
    Verilated::threadContextp(&context);
    m->final();
    delete m;
  }
  seeded_model(const seeded_model &) = delete;
  seeded_model &operator=(const seeded_model &) = delete;
};

#endif
