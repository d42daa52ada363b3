/* One binary for old and new processors: a function marked HOST_CLONES exists once per vector
 * width; the loader chooses the one for its processor.  The sanitizers start later than the loader
 * chooses, and clang has no clones by architecture level: both build one version. */
#ifndef TANDEM_CLONES_H
#define TANDEM_CLONES_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(TANDEM_NO_CLONES)
#define HOST_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define HOST_CLONES
#endif

#endif
