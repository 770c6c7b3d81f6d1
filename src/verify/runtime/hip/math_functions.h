#pragma GCC system_header
#include <hip/hip_runtime.h>
