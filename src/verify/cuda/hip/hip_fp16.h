#ifndef UNPHI_CUDA_HIP_FP16_H
#define UNPHI_CUDA_HIP_FP16_H
#include <hip/hip_runtime.h>
#endif
