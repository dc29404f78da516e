#include "transformer/fixed_point.hpp"
