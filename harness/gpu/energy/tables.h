/* The tables of an energy.def, for the C file that has them: ENERGY_DEF is its path.  Each list
 * ends with an empty element; FIGURE(name) is the value of a figure. */
#include "harness/gpu/energy/energy.h"

static const struct energy_source sources[] = {
#define ENERGY_SOURCE ENERGY_SOURCE_ROW
#define ENERGY_FIGURE ENERGY_NOTHING
#define ENERGY_DYNAMIC ENERGY_NOTHING
#define ENERGY_STATIC ENERGY_NOTHING
#define ENERGY_CYCLES ENERGY_NOTHING
#include ENERGY_DEF
    {NULL, NULL}};

static const struct energy_figure energy_figures[] = {
#define ENERGY_SOURCE ENERGY_NOTHING
#define ENERGY_FIGURE ENERGY_FIGURE_ROW
#define ENERGY_DYNAMIC ENERGY_NOTHING
#define ENERGY_STATIC ENERGY_NOTHING
#define ENERGY_CYCLES ENERGY_NOTHING
#include ENERGY_DEF
    {NULL, NULL, NULL, NULL, NULL, 0}};

enum {
#define ENERGY_SOURCE ENERGY_NOTHING
#define ENERGY_FIGURE(name, ...) FIGURE_##name,
#define ENERGY_DYNAMIC ENERGY_NOTHING
#define ENERGY_STATIC ENERGY_NOTHING
#define ENERGY_CYCLES ENERGY_NOTHING
#include ENERGY_DEF
};
#define FIGURE(name) (energy_figures[FIGURE_##name].value)

static const struct energy_component components[] = {
#define ENERGY_SOURCE ENERGY_NOTHING
#define ENERGY_FIGURE ENERGY_NOTHING
#define ENERGY_DYNAMIC ENERGY_DYNAMIC_ROW
#define ENERGY_STATIC ENERGY_STATIC_ROW
#define ENERGY_CYCLES ENERGY_CYCLES_ROW
#include ENERGY_DEF
    {NULL, NULL, NULL, NULL, NULL}};

/* Fields of struct energy_tables. */
#define ENERGY_LISTS                                                                               \
  .sources = sources, .figures = energy_figures, .components = components,                         \
  .nsources = sizeof sources / sizeof sources[0] - 1,                                              \
  .nfigures = sizeof energy_figures / sizeof energy_figures[0] - 1,                                \
  .ncomponents = sizeof components / sizeof components[0] - 1
