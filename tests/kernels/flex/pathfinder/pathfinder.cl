#include "../../pathfinder/pathfinder.cl"
