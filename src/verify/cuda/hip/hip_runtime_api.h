#ifndef UNPHI_CUDA_HIP_RUNTIME_API_H
#define UNPHI_CUDA_HIP_RUNTIME_API_H
#include <hip/hip_runtime.h>
#endif
