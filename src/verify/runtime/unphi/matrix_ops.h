/*
 * The matrix operations by name, one macro call for each. Define the macros whose rows you want,
 * then include this file; it undefines all of them.
 *
 * UNPHI_MFMA(name, M, N, K, blocks, type of A, of B, of C and D, operand A, operand B, result)
 * UNPHI_MFMA_SCALE(name, M, N, K, operand A and B, result): f8f6f4, types by cbsz and blgp
 * UNPHI_SMFMAC(as UNPHI_MFMA, without blocks; K is that of B)
 * UNPHI_WMMA(name, wave size, type of A and B, of C and D, operand, result), and for 16-bit results
 * UNPHI_WMMA_HALF(the same)
 * UNPHI_WMMA_INT(name, wave size, bits of A and B, operand, result)
 * UNPHI_WMMA12(name, wave size, K, type of A, of B, of C and D, operand A, operand B, result)
 * UNPHI_WMMA12_INT(name, wave size, K, bits of A and B, operand A, operand B, result): of gfx12
 * UNPHI_SWMMAC(as UNPHI_WMMA12; K is that of B) and UNPHI_SWMMAC_INT(as UNPHI_WMMA12_INT)
 */
#ifndef UNPHI_MFMA
#define UNPHI_MFMA(...)
#endif
#ifndef UNPHI_MFMA_SCALE
#define UNPHI_MFMA_SCALE(...)
#endif
#ifndef UNPHI_SMFMAC
#define UNPHI_SMFMAC(...)
#endif
#ifndef UNPHI_WMMA
#define UNPHI_WMMA(...)
#endif
#ifndef UNPHI_WMMA_HALF
#define UNPHI_WMMA_HALF(...)
#endif
#ifndef UNPHI_WMMA_INT
#define UNPHI_WMMA_INT(...)
#endif
#ifndef UNPHI_WMMA12
#define UNPHI_WMMA12(...)
#endif
#ifndef UNPHI_WMMA12_INT
#define UNPHI_WMMA12_INT(...)
#endif
#ifndef UNPHI_SWMMAC
#define UNPHI_SWMMAC(...)
#endif
#ifndef UNPHI_SWMMAC_INT
#define UNPHI_SWMMAC_INT(...)
#endif

UNPHI_MFMA(mfma_f32_32x32x1f32, 32, 32, 1, 2, f32, f32, f32, s1f, s1f, v32f)
UNPHI_MFMA(mfma_f32_16x16x1f32, 16, 16, 1, 4, f32, f32, f32, s1f, s1f, v16f)
UNPHI_MFMA(mfma_f32_4x4x1f32, 4, 4, 1, 16, f32, f32, f32, s1f, s1f, v4f)
UNPHI_MFMA(mfma_f32_32x32x2f32, 32, 32, 2, 1, f32, f32, f32, s1f, s1f, v16f)
UNPHI_MFMA(mfma_f32_16x16x4f32, 16, 16, 4, 1, f32, f32, f32, s1f, s1f, v4f)
UNPHI_MFMA(mfma_f32_32x32x4f16, 32, 32, 4, 2, f16, f16, f32, v4h, v4h, v32f)
UNPHI_MFMA(mfma_f32_16x16x4f16, 16, 16, 4, 4, f16, f16, f32, v4h, v4h, v16f)
UNPHI_MFMA(mfma_f32_4x4x4f16, 4, 4, 4, 16, f16, f16, f32, v4h, v4h, v4f)
UNPHI_MFMA(mfma_f32_32x32x8f16, 32, 32, 8, 1, f16, f16, f32, v4h, v4h, v16f)
UNPHI_MFMA(mfma_f32_16x16x16f16, 16, 16, 16, 1, f16, f16, f32, v4h, v4h, v4f)
UNPHI_MFMA(mfma_i32_32x32x4i8, 32, 32, 4, 2, i8, i8, i32, s1i, s1i, v32i)
UNPHI_MFMA(mfma_i32_16x16x4i8, 16, 16, 4, 4, i8, i8, i32, s1i, s1i, v16i)
UNPHI_MFMA(mfma_i32_4x4x4i8, 4, 4, 4, 16, i8, i8, i32, s1i, s1i, v4i)
UNPHI_MFMA(mfma_i32_32x32x8i8, 32, 32, 8, 1, i8, i8, i32, s1i, s1i, v16i)
UNPHI_MFMA(mfma_i32_16x16x16i8, 16, 16, 16, 1, i8, i8, i32, s1i, s1i, v4i)
UNPHI_MFMA(mfma_f32_32x32x2bf16, 32, 32, 2, 2, bf16, bf16, f32, v2s, v2s, v32f)
UNPHI_MFMA(mfma_f32_16x16x2bf16, 16, 16, 2, 4, bf16, bf16, f32, v2s, v2s, v16f)
UNPHI_MFMA(mfma_f32_4x4x2bf16, 4, 4, 2, 16, bf16, bf16, f32, v2s, v2s, v4f)
UNPHI_MFMA(mfma_f32_32x32x4bf16, 32, 32, 4, 1, bf16, bf16, f32, v2s, v2s, v16f)
UNPHI_MFMA(mfma_f32_16x16x8bf16, 16, 16, 8, 1, bf16, bf16, f32, v2s, v2s, v4f)
UNPHI_MFMA(mfma_f32_32x32x4bf16_1k, 32, 32, 4, 2, bf16, bf16, f32, v4s, v4s, v32f)
UNPHI_MFMA(mfma_f32_16x16x4bf16_1k, 16, 16, 4, 4, bf16, bf16, f32, v4s, v4s, v16f)
UNPHI_MFMA(mfma_f32_4x4x4bf16_1k, 4, 4, 4, 16, bf16, bf16, f32, v4s, v4s, v4f)
UNPHI_MFMA(mfma_f32_32x32x8bf16_1k, 32, 32, 8, 1, bf16, bf16, f32, v4s, v4s, v16f)
UNPHI_MFMA(mfma_f32_16x16x16bf16_1k, 16, 16, 16, 1, bf16, bf16, f32, v4s, v4s, v4f)
UNPHI_MFMA(mfma_f64_16x16x4f64, 16, 16, 4, 1, f64, f64, f64, s1d, s1d, v4d)
UNPHI_MFMA(mfma_f64_4x4x4f64, 4, 4, 4, 4, f64, f64, f64, s1d, s1d, s1d)
UNPHI_MFMA(mfma_i32_16x16x32_i8, 16, 16, 32, 1, i8, i8, i32, s1l, s1l, v4i)
UNPHI_MFMA(mfma_i32_32x32x16_i8, 32, 32, 16, 1, i8, i8, i32, s1l, s1l, v16i)
UNPHI_MFMA(mfma_f32_16x16x8_xf32, 16, 16, 8, 1, xf32, xf32, f32, v2f, v2f, v4f)
UNPHI_MFMA(mfma_f32_32x32x4_xf32, 32, 32, 4, 1, xf32, xf32, f32, v2f, v2f, v16f)
UNPHI_MFMA(mfma_f32_16x16x32_bf8_bf8, 16, 16, 32, 1, bf8, bf8, f32, s1l, s1l, v4f)
UNPHI_MFMA(mfma_f32_16x16x32_bf8_fp8, 16, 16, 32, 1, bf8, fp8, f32, s1l, s1l, v4f)
UNPHI_MFMA(mfma_f32_16x16x32_fp8_bf8, 16, 16, 32, 1, fp8, bf8, f32, s1l, s1l, v4f)
UNPHI_MFMA(mfma_f32_16x16x32_fp8_fp8, 16, 16, 32, 1, fp8, fp8, f32, s1l, s1l, v4f)
UNPHI_MFMA(mfma_f32_32x32x16_bf8_bf8, 32, 32, 16, 1, bf8, bf8, f32, s1l, s1l, v16f)
UNPHI_MFMA(mfma_f32_32x32x16_bf8_fp8, 32, 32, 16, 1, bf8, fp8, f32, s1l, s1l, v16f)
UNPHI_MFMA(mfma_f32_32x32x16_fp8_bf8, 32, 32, 16, 1, fp8, bf8, f32, s1l, s1l, v16f)
UNPHI_MFMA(mfma_f32_32x32x16_fp8_fp8, 32, 32, 16, 1, fp8, fp8, f32, s1l, s1l, v16f)
UNPHI_MFMA(mfma_f32_16x16x32_f16, 16, 16, 32, 1, f16, f16, f32, v8h, v8h, v4f)
UNPHI_MFMA(mfma_f32_32x32x16_f16, 32, 32, 16, 1, f16, f16, f32, v8h, v8h, v16f)
UNPHI_MFMA(mfma_f32_16x16x32_bf16, 16, 16, 32, 1, bf16, bf16, f32, v8y, v8y, v4f)
UNPHI_MFMA(mfma_f32_32x32x16_bf16, 32, 32, 16, 1, bf16, bf16, f32, v8y, v8y, v16f)
UNPHI_MFMA(mfma_i32_16x16x64_i8, 16, 16, 64, 1, i8, i8, i32, v4i, v4i, v4i)
UNPHI_MFMA(mfma_i32_32x32x32_i8, 32, 32, 32, 1, i8, i8, i32, v4i, v4i, v16i)
UNPHI_MFMA_SCALE(mfma_scale_f32_16x16x128_f8f6f4, 16, 16, 128, v8i, v4f)
UNPHI_MFMA_SCALE(mfma_scale_f32_32x32x64_f8f6f4, 32, 32, 64, v8i, v16f)

UNPHI_SMFMAC(smfmac_f32_16x16x32_f16, 16, 16, 32, f16, f16, f32, v4h, v8h, v4f)
UNPHI_SMFMAC(smfmac_f32_32x32x16_f16, 32, 32, 16, f16, f16, f32, v4h, v8h, v16f)
UNPHI_SMFMAC(smfmac_f32_16x16x32_bf16, 16, 16, 32, bf16, bf16, f32, v4s, v8s, v4f)
UNPHI_SMFMAC(smfmac_f32_32x32x16_bf16, 32, 32, 16, bf16, bf16, f32, v4s, v8s, v16f)
UNPHI_SMFMAC(smfmac_i32_16x16x64_i8, 16, 16, 64, i8, i8, i32, v2i, v4i, v4i)
UNPHI_SMFMAC(smfmac_i32_32x32x32_i8, 32, 32, 32, i8, i8, i32, v2i, v4i, v16i)
UNPHI_SMFMAC(smfmac_f32_16x16x64_bf8_bf8, 16, 16, 64, bf8, bf8, f32, v2i, v4i, v4f)
UNPHI_SMFMAC(smfmac_f32_16x16x64_bf8_fp8, 16, 16, 64, bf8, fp8, f32, v2i, v4i, v4f)
UNPHI_SMFMAC(smfmac_f32_16x16x64_fp8_bf8, 16, 16, 64, fp8, bf8, f32, v2i, v4i, v4f)
UNPHI_SMFMAC(smfmac_f32_16x16x64_fp8_fp8, 16, 16, 64, fp8, fp8, f32, v2i, v4i, v4f)
UNPHI_SMFMAC(smfmac_f32_32x32x32_bf8_bf8, 32, 32, 32, bf8, bf8, f32, v2i, v4i, v16f)
UNPHI_SMFMAC(smfmac_f32_32x32x32_bf8_fp8, 32, 32, 32, bf8, fp8, f32, v2i, v4i, v16f)
UNPHI_SMFMAC(smfmac_f32_32x32x32_fp8_bf8, 32, 32, 32, fp8, bf8, f32, v2i, v4i, v16f)
UNPHI_SMFMAC(smfmac_f32_32x32x32_fp8_fp8, 32, 32, 32, fp8, fp8, f32, v2i, v4i, v16f)
UNPHI_SMFMAC(smfmac_f32_16x16x64_f16, 16, 16, 64, f16, f16, f32, v8h, v16h, v4f)
UNPHI_SMFMAC(smfmac_f32_32x32x32_f16, 32, 32, 32, f16, f16, f32, v8h, v16h, v16f)
UNPHI_SMFMAC(smfmac_f32_16x16x64_bf16, 16, 16, 64, bf16, bf16, f32, v8y, v16y, v4f)
UNPHI_SMFMAC(smfmac_f32_32x32x32_bf16, 32, 32, 32, bf16, bf16, f32, v8y, v16y, v16f)
UNPHI_SMFMAC(smfmac_i32_16x16x128_i8, 16, 16, 128, i8, i8, i32, v4i, v8i, v4i)
UNPHI_SMFMAC(smfmac_i32_32x32x64_i8, 32, 32, 64, i8, i8, i32, v4i, v8i, v16i)
UNPHI_SMFMAC(smfmac_f32_16x16x128_bf8_bf8, 16, 16, 128, bf8, bf8, f32, v4i, v8i, v4f)
UNPHI_SMFMAC(smfmac_f32_16x16x128_bf8_fp8, 16, 16, 128, bf8, fp8, f32, v4i, v8i, v4f)
UNPHI_SMFMAC(smfmac_f32_16x16x128_fp8_bf8, 16, 16, 128, fp8, bf8, f32, v4i, v8i, v4f)
UNPHI_SMFMAC(smfmac_f32_16x16x128_fp8_fp8, 16, 16, 128, fp8, fp8, f32, v4i, v8i, v4f)
UNPHI_SMFMAC(smfmac_f32_32x32x64_bf8_bf8, 32, 32, 64, bf8, bf8, f32, v4i, v8i, v16f)
UNPHI_SMFMAC(smfmac_f32_32x32x64_bf8_fp8, 32, 32, 64, bf8, fp8, f32, v4i, v8i, v16f)
UNPHI_SMFMAC(smfmac_f32_32x32x64_fp8_bf8, 32, 32, 64, fp8, bf8, f32, v4i, v8i, v16f)
UNPHI_SMFMAC(smfmac_f32_32x32x64_fp8_fp8, 32, 32, 64, fp8, fp8, f32, v4i, v8i, v16f)

UNPHI_WMMA(wmma_f32_16x16x16_f16_w32, 32, f16, f32, v16h, v8f)
UNPHI_WMMA(wmma_f32_16x16x16_bf16_w32, 32, bf16, f32, v16s, v8f)
UNPHI_WMMA(wmma_f32_16x16x16_f16_w64, 64, f16, f32, v16h, v4f)
UNPHI_WMMA(wmma_f32_16x16x16_bf16_w64, 64, bf16, f32, v16s, v4f)
UNPHI_WMMA_HALF(wmma_f16_16x16x16_f16_w32, 32, f16, f16, v16h, v16h)
UNPHI_WMMA_HALF(wmma_bf16_16x16x16_bf16_w32, 32, bf16, bf16, v16s, v16s)
UNPHI_WMMA_HALF(wmma_f16_16x16x16_f16_tied_w32, 32, f16, f16, v16h, v16h)
UNPHI_WMMA_HALF(wmma_bf16_16x16x16_bf16_tied_w32, 32, bf16, bf16, v16s, v16s)
UNPHI_WMMA_HALF(wmma_f16_16x16x16_f16_w64, 64, f16, f16, v16h, v8h)
UNPHI_WMMA_HALF(wmma_bf16_16x16x16_bf16_w64, 64, bf16, bf16, v16s, v8s)
UNPHI_WMMA_HALF(wmma_f16_16x16x16_f16_tied_w64, 64, f16, f16, v16h, v8h)
UNPHI_WMMA_HALF(wmma_bf16_16x16x16_bf16_tied_w64, 64, bf16, bf16, v16s, v8s)
UNPHI_WMMA_INT(wmma_i32_16x16x16_iu8_w32, 32, 8, v4i, v8i)
UNPHI_WMMA_INT(wmma_i32_16x16x16_iu4_w32, 32, 4, v2i, v8i)
UNPHI_WMMA_INT(wmma_i32_16x16x16_iu8_w64, 64, 8, v4i, v4i)
UNPHI_WMMA_INT(wmma_i32_16x16x16_iu4_w64, 64, 4, v2i, v4i)

UNPHI_WMMA12(wmma_f32_16x16x16_f16_w32_gfx12, 32, 16, f16, f16, f32, v8h, v8h, v8f)
UNPHI_WMMA12(wmma_f32_16x16x16_bf16_w32_gfx12, 32, 16, bf16, bf16, f32, v8s, v8s, v8f)
UNPHI_WMMA12(wmma_f16_16x16x16_f16_w32_gfx12, 32, 16, f16, f16, f16, v8h, v8h, v8h)
UNPHI_WMMA12(wmma_bf16_16x16x16_bf16_w32_gfx12, 32, 16, bf16, bf16, bf16, v8s, v8s, v8s)
UNPHI_WMMA12(wmma_f32_16x16x16_bf8_bf8_w32_gfx12, 32, 16, bf8, bf8, f32, v2i, v2i, v8f)
UNPHI_WMMA12(wmma_f32_16x16x16_bf8_fp8_w32_gfx12, 32, 16, bf8, fp8, f32, v2i, v2i, v8f)
UNPHI_WMMA12(wmma_f32_16x16x16_fp8_bf8_w32_gfx12, 32, 16, fp8, bf8, f32, v2i, v2i, v8f)
UNPHI_WMMA12(wmma_f32_16x16x16_fp8_fp8_w32_gfx12, 32, 16, fp8, fp8, f32, v2i, v2i, v8f)
UNPHI_WMMA12_INT(wmma_i32_16x16x16_iu8_w32_gfx12, 32, 16, 8, v2i, v2i, v8i)
UNPHI_WMMA12_INT(wmma_i32_16x16x16_iu4_w32_gfx12, 32, 16, 4, s1i, s1i, v8i)
UNPHI_WMMA12_INT(wmma_i32_16x16x32_iu4_w32_gfx12, 32, 32, 4, v2i, v2i, v8i)
UNPHI_WMMA12(wmma_f32_16x16x16_f16_w64_gfx12, 64, 16, f16, f16, f32, v4h, v4h, v4f)
UNPHI_WMMA12(wmma_f32_16x16x16_bf16_w64_gfx12, 64, 16, bf16, bf16, f32, v4s, v4s, v4f)
UNPHI_WMMA12(wmma_f16_16x16x16_f16_w64_gfx12, 64, 16, f16, f16, f16, v4h, v4h, v4h)
UNPHI_WMMA12(wmma_bf16_16x16x16_bf16_w64_gfx12, 64, 16, bf16, bf16, bf16, v4s, v4s, v4s)
UNPHI_WMMA12(wmma_f32_16x16x16_bf8_bf8_w64_gfx12, 64, 16, bf8, bf8, f32, s1i, s1i, v4f)
UNPHI_WMMA12(wmma_f32_16x16x16_bf8_fp8_w64_gfx12, 64, 16, bf8, fp8, f32, s1i, s1i, v4f)
UNPHI_WMMA12(wmma_f32_16x16x16_fp8_bf8_w64_gfx12, 64, 16, fp8, bf8, f32, s1i, s1i, v4f)
UNPHI_WMMA12(wmma_f32_16x16x16_fp8_fp8_w64_gfx12, 64, 16, fp8, fp8, f32, s1i, s1i, v4f)
UNPHI_WMMA12_INT(wmma_i32_16x16x16_iu8_w64_gfx12, 64, 16, 8, s1i, s1i, v4i)
UNPHI_WMMA12_INT(wmma_i32_16x16x16_iu4_w64_gfx12, 64, 16, 4, s1i, s1i, v4i)
UNPHI_WMMA12_INT(wmma_i32_16x16x32_iu4_w64_gfx12, 64, 32, 4, s1i, s1i, v4i)

UNPHI_SWMMAC(swmmac_f32_16x16x32_f16_w32, 32, 32, f16, f16, f32, v8h, v16h, v8f)
UNPHI_SWMMAC(swmmac_f32_16x16x32_bf16_w32, 32, 32, bf16, bf16, f32, v8s, v16s, v8f)
UNPHI_SWMMAC(swmmac_f16_16x16x32_f16_w32, 32, 32, f16, f16, f16, v8h, v16h, v8h)
UNPHI_SWMMAC(swmmac_bf16_16x16x32_bf16_w32, 32, 32, bf16, bf16, bf16, v8s, v16s, v8s)
UNPHI_SWMMAC(swmmac_f32_16x16x32_bf8_bf8_w32, 32, 32, bf8, bf8, f32, v2i, v4i, v8f)
UNPHI_SWMMAC(swmmac_f32_16x16x32_bf8_fp8_w32, 32, 32, bf8, fp8, f32, v2i, v4i, v8f)
UNPHI_SWMMAC(swmmac_f32_16x16x32_fp8_bf8_w32, 32, 32, fp8, bf8, f32, v2i, v4i, v8f)
UNPHI_SWMMAC(swmmac_f32_16x16x32_fp8_fp8_w32, 32, 32, fp8, fp8, f32, v2i, v4i, v8f)
UNPHI_SWMMAC_INT(swmmac_i32_16x16x32_iu8_w32, 32, 32, 8, v2i, v4i, v8i)
UNPHI_SWMMAC_INT(swmmac_i32_16x16x32_iu4_w32, 32, 32, 4, s1i, v2i, v8i)
UNPHI_SWMMAC_INT(swmmac_i32_16x16x64_iu4_w32, 32, 64, 4, v2i, v4i, v8i)
UNPHI_SWMMAC(swmmac_f32_16x16x32_f16_w64, 64, 32, f16, f16, f32, v4h, v8h, v4f)
UNPHI_SWMMAC(swmmac_f32_16x16x32_bf16_w64, 64, 32, bf16, bf16, f32, v4s, v8s, v4f)
UNPHI_SWMMAC(swmmac_f16_16x16x32_f16_w64, 64, 32, f16, f16, f16, v4h, v8h, v4h)
UNPHI_SWMMAC(swmmac_bf16_16x16x32_bf16_w64, 64, 32, bf16, bf16, bf16, v4s, v8s, v4s)
UNPHI_SWMMAC(swmmac_f32_16x16x32_bf8_bf8_w64, 64, 32, bf8, bf8, f32, s1i, v2i, v4f)
UNPHI_SWMMAC(swmmac_f32_16x16x32_bf8_fp8_w64, 64, 32, bf8, fp8, f32, s1i, v2i, v4f)
UNPHI_SWMMAC(swmmac_f32_16x16x32_fp8_bf8_w64, 64, 32, fp8, bf8, f32, s1i, v2i, v4f)
UNPHI_SWMMAC(swmmac_f32_16x16x32_fp8_fp8_w64, 64, 32, fp8, fp8, f32, s1i, v2i, v4f)
UNPHI_SWMMAC_INT(swmmac_i32_16x16x32_iu8_w64, 64, 32, 8, s1i, v2i, v4i)
UNPHI_SWMMAC_INT(swmmac_i32_16x16x32_iu4_w64, 64, 32, 4, s1i, s1i, v4i)
UNPHI_SWMMAC_INT(swmmac_i32_16x16x64_iu4_w64, 64, 64, 4, s1i, v2i, v4i)

#undef UNPHI_MFMA
#undef UNPHI_MFMA_SCALE
#undef UNPHI_SMFMAC
#undef UNPHI_WMMA
#undef UNPHI_WMMA_HALF
#undef UNPHI_WMMA_INT
#undef UNPHI_WMMA12
#undef UNPHI_WMMA12_INT
#undef UNPHI_SWMMAC
#undef UNPHI_SWMMAC_INT
