/* The models that were built: MODEL(prefix, unit, parameters), a line each; made by
 * rtl/CMakeLists.txt. */
#include "harness/shim/rtl.h"

#include <cstring>

#define MODEL(prefix, unit, parameters)                                                            \
  extern "C" struct rtl_model *rtl_make_##prefix##_plain(uint64_t seed);                           \
  extern "C" struct rtl_model *rtl_make_##prefix##_full(uint64_t seed);
#include "models.def"
#undef MODEL

const struct rtl_build rtl_builds[] = {
#define MODEL(prefix, unit, parameters)                                                            \
  {#unit, parameters, rtl_make_##prefix##_plain, rtl_make_##prefix##_full},
#include "models.def"
#undef MODEL
    {nullptr, nullptr, nullptr, nullptr}};

const struct rtl_build *rtl_find(const char *unit, const char *parameters) {
  for (const struct rtl_build *b = rtl_builds; b->unit; b++)
    if (!std::strcmp(b->unit, unit) && !std::strcmp(b->parameters, parameters))
      return b;
  return nullptr;
}
