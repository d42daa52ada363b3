/* Random values for the registers of an instance, by the VPI (IEEE 1800-2017, chapter 38). */
#include "harness/shim/scramble.h"

#include <verilated_vpi.h>

#include <mutex>
#include <vector>

namespace {

void put_random(vpiHandle reg, std::mt19937_64 &noise) {
  const int words = (vpi_get(vpiSize, reg) + 31) / 32;
  std::vector<t_vpi_vecval> bits(static_cast<std::size_t>(words));
  for (t_vpi_vecval &word : bits)
    word = {static_cast<PLI_INT32>(noise()), 0};
  s_vpi_value value = {};
  value.format = vpiVectorVal;
  value.value.vector = bits.data();
  vpi_put_value(reg, &value, nullptr, vpiNoDelay);
}

/* An array's elements, or the register itself. */
void scramble_one(vpiHandle reg, std::mt19937_64 &noise) {
  if (vpi_get(vpiType, reg) != vpiMemory) {
    put_random(reg, noise);
    return;
  }
  vpiHandle words = vpi_iterate(vpiMemoryWord, reg);
  while (vpiHandle word = vpi_scan(words)) {
    put_random(word, noise);
    vpi_release_handle(word);
  }
}

/* Returns whether a register of the module, or of one below it, was found. */
bool scramble_module(vpiHandle module, std::mt19937_64 &noise) {
  bool any = false;
  vpiHandle registers = vpi_iterate(vpiReg, module);
  while (vpiHandle reg = registers != nullptr ? vpi_scan(registers) : nullptr) {
    const std::string own = vpi_get_str(vpiName, reg);
    if (own.size() > 2 && own.compare(own.size() - 2, 2, "_q") == 0) {
      scramble_one(reg, noise);
      any = true;
    }
    vpi_release_handle(reg);
  }
  vpiHandle below = vpi_iterate(vpiModule, module);
  while (vpiHandle inner = below != nullptr ? vpi_scan(below) : nullptr) {
    any = scramble_module(inner, noise) || any;
    vpi_release_handle(inner);
  }
  return any;
}

} // namespace

bool scramble(const std::string &scope, std::mt19937_64 &noise) {
  static std::mutex lock; /* the VPI is not made for several threads */
  std::lock_guard<std::mutex> guard(lock);
  std::string name = scope;
  vpiHandle module = vpi_handle_by_name(name.data(), nullptr);
  const bool any = module != nullptr && scramble_module(module, noise);
  if (module != nullptr)
    vpi_release_handle(module);
  return any;
}
