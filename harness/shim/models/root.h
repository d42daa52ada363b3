/* Where Tandem's sources are if nobody says. */
#ifndef TANDEM_MODELS_ROOT_H
#define TANDEM_MODELS_ROOT_H

/* The sources that the program was built from; "": it does not know, as what is installed may be
 * moved. */
extern const char models_default_root[];

#endif
