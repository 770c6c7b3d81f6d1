; ModuleID = 'tests/golden/measured/per-lane.hip'
target triple = "amdgcn-amd-amdhsa"

%struct.dim = type { i32, i32, i32 }

@threadIdx = external protected local_unnamed_addr addrspace(1) global %struct.dim, align 4
@blockIdx = external protected local_unnamed_addr addrspace(1) global %struct.dim, align 4
@__hip_cuid_736c7308b7961d58 = addrspace(1) global i8 0
@llvm.compiler.used = appending addrspace(1) global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @__hip_cuid_736c7308b7961d58 to ptr)], section "llvm.metadata"

; Function Attrs: convergent mustprogress nofree norecurse nosync nounwind willreturn memory(read, argmem: readwrite, inaccessiblemem: none)
define protected amdgpu_kernel void @_Z4lanePDv4_fi(ptr addrspace(1) nocapture noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = load <4 x float>, ptr addrspace(1) %0, align 16, !tbaa !5
  %4 = load i32, ptr addrspace(1) @threadIdx, align 4, !tbaa !8
  %5 = icmp ult i32 %4, %1
  br i1 %5, label %6, label %8

6:                                                ; preds = %2
  %7 = tail call contract <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float 1.000000e+00, float 2.000000e+00, <4 x float> %3, i32 0, i32 0, i32 0)
  br label %10

8:                                                ; preds = %2
  %9 = tail call contract <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float 2.000000e+00, float 1.000000e+00, <4 x float> %3, i32 0, i32 0, i32 0)
  br label %10

10:                                               ; preds = %8, %6
  %11 = phi <4 x float> [ %7, %6 ], [ %9, %8 ]
  store <4 x float> %11, ptr addrspace(1) %0, align 16, !tbaa !5
  ret void
}

; Function Attrs: convergent mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: convergent mustprogress nofree norecurse nosync nounwind willreturn memory(read, argmem: readwrite, inaccessiblemem: none)
define protected amdgpu_kernel void @_Z7uniformPDv4_fi(ptr addrspace(1) nocapture noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = load <4 x float>, ptr addrspace(1) %0, align 16, !tbaa !5
  %4 = load i32, ptr addrspace(1) @blockIdx, align 4, !tbaa !8
  %5 = icmp ult i32 %4, %1
  br i1 %5, label %6, label %8

6:                                                ; preds = %2
  %7 = tail call contract <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float 1.000000e+00, float 2.000000e+00, <4 x float> %3, i32 0, i32 0, i32 0)
  br label %10

8:                                                ; preds = %2
  %9 = tail call contract <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float 2.000000e+00, float 1.000000e+00, <4 x float> %3, i32 0, i32 0, i32 0)
  br label %10

10:                                               ; preds = %8, %6
  %11 = phi <4 x float> [ %7, %6 ], [ %9, %8 ]
  store <4 x float> %11, ptr addrspace(1) %0, align 16, !tbaa !5
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(read, argmem: readwrite, inaccessiblemem: none)
define protected amdgpu_kernel void @_Z9no_matrixPDv4_fi(ptr addrspace(1) nocapture noundef %0, i32 noundef %1) local_unnamed_addr #2 {
  %3 = load <4 x float>, ptr addrspace(1) %0, align 16, !tbaa !5
  %4 = load i32, ptr addrspace(1) @threadIdx, align 4, !tbaa !8
  %5 = icmp ult i32 %4, %1
  br i1 %5, label %6, label %8

6:                                                ; preds = %2
  %7 = fadd contract <4 x float> %3, <float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00>
  br label %10

8:                                                ; preds = %2
  %9 = fmul contract <4 x float> %3, <float 2.000000e+00, float 2.000000e+00, float 2.000000e+00, float 2.000000e+00>
  br label %10

10:                                               ; preds = %8, %6
  %11 = phi <4 x float> [ %7, %6 ], [ %9, %8 ]
  store <4 x float> %11, ptr addrspace(1) %0, align 16, !tbaa !5
  ret void
}

attributes #0 = { convergent mustprogress nofree norecurse nosync nounwind willreturn memory(read, argmem: readwrite, inaccessiblemem: none) "amdgpu-flat-work-group-size"="1,1024" "amdgpu-no-agpr" "amdgpu-no-completion-action" "amdgpu-no-default-queue" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx908" "target-features"="+16-bit-insts,+ci-insts,+dl-insts,+dot1-insts,+dot10-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+gfx8-insts,+gfx9-insts,+mai-insts,+s-memrealtime,+s-memtime-inst,+wavefrontsize64" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nocallback nofree nosync nounwind willreturn memory(none) }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(read, argmem: readwrite, inaccessiblemem: none) "amdgpu-flat-work-group-size"="1,1024" "amdgpu-no-agpr" "amdgpu-no-completion-action" "amdgpu-no-default-queue" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx908" "target-features"="+16-bit-insts,+ci-insts,+dl-insts,+dot1-insts,+dot10-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+gfx8-insts,+gfx9-insts,+mai-insts,+s-memrealtime,+s-memtime-inst,+wavefrontsize64" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
!1 = !{i32 1, !"amdgpu_printf_kind", !"hostcall"}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 8, !"PIC Level", i32 2}
!4 = !{!"clang"}
!5 = !{!6, !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{!9, !10, i64 0}
!9 = !{!"_ZTS3dim", !10, i64 0, !10, i64 4, !10, i64 8}
!10 = !{!"int", !6, i64 0}
