; ModuleID = 'tests/golden/verify/veto.hip'
target triple = "amdgcn-amd-amdhsa"

@__hip_cuid_bba1ac3adf48513d = addrspace(1) global i8 0
@llvm.compiler.used = appending addrspace(1) global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @__hip_cuid_bba1ac3adf48513d to ptr)], section "llvm.metadata"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define protected amdgpu_kernel void @_Z1kPiPKfi(ptr addrspace(1) nocapture noundef writeonly %0, ptr addrspace(1) nocapture noundef readonly %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = icmp sgt i32 %2, 0
  %5 = load float, ptr addrspace(1) %1, align 4, !tbaa !5
  br i1 %4, label %14, label %6

6:                                                ; preds = %3
  %7 = fadd contract float %5, 1.000000e+00
  %8 = fmul contract float %7, 0.000000e+00
  %9 = insertelement <2 x float> poison, float %7, i64 0
  %10 = shufflevector <2 x float> %9, <2 x float> poison, <2 x i32> zeroinitializer
  %11 = fmul contract <2 x float> %10, <float 2.000000e+00, float 3.000000e+00>
  %12 = insertelement <2 x float> poison, float %8, i64 0
  %13 = insertelement <2 x float> %12, float %7, i64 1
  br label %19

14:                                               ; preds = %3
  %15 = insertelement <2 x float> poison, float %5, i64 0
  %16 = shufflevector <2 x float> %15, <2 x float> poison, <2 x i32> zeroinitializer
  %17 = fadd contract <2 x float> %16, <float 0.000000e+00, float 1.000000e+00>
  %18 = fadd contract <2 x float> %16, <float 2.000000e+00, float 3.000000e+00>
  br label %19

19:                                               ; preds = %6, %14
  %20 = phi <2 x float> [ %17, %14 ], [ %13, %6 ]
  %21 = phi <2 x float> [ %18, %14 ], [ %11, %6 ]
  %22 = icmp sgt i32 %2, 1
  %23 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 4
  %24 = load float, ptr addrspace(1) %23, align 4, !tbaa !5
  br i1 %22, label %31, label %25

25:                                               ; preds = %19
  %26 = fadd contract float %24, 1.000000e+00
  %27 = insertelement <2 x float> poison, float %26, i64 0
  %28 = shufflevector <2 x float> %27, <2 x float> poison, <2 x i32> zeroinitializer
  %29 = fmul contract <2 x float> %20, %28
  %30 = fmul contract <2 x float> %21, %28
  br label %36

31:                                               ; preds = %19
  %32 = insertelement <2 x float> poison, float %24, i64 0
  %33 = shufflevector <2 x float> %32, <2 x float> poison, <2 x i32> zeroinitializer
  %34 = fadd contract <2 x float> %33, %20
  %35 = fadd contract <2 x float> %33, %21
  br label %36

36:                                               ; preds = %31, %25
  %37 = phi <2 x float> [ %34, %31 ], [ %29, %25 ]
  %38 = phi <2 x float> [ %35, %31 ], [ %30, %25 ]
  %39 = icmp sgt i32 %2, 2
  %40 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 8
  %41 = load float, ptr addrspace(1) %40, align 4, !tbaa !5
  br i1 %39, label %48, label %42

42:                                               ; preds = %36
  %43 = fadd contract float %41, 1.000000e+00
  %44 = insertelement <2 x float> poison, float %43, i64 0
  %45 = shufflevector <2 x float> %44, <2 x float> poison, <2 x i32> zeroinitializer
  %46 = fmul contract <2 x float> %37, %45
  %47 = fmul contract <2 x float> %38, %45
  br label %53

48:                                               ; preds = %36
  %49 = insertelement <2 x float> poison, float %41, i64 0
  %50 = shufflevector <2 x float> %49, <2 x float> poison, <2 x i32> zeroinitializer
  %51 = fadd contract <2 x float> %50, %37
  %52 = fadd contract <2 x float> %50, %38
  br label %53

53:                                               ; preds = %48, %42
  %54 = phi <2 x float> [ %51, %48 ], [ %46, %42 ]
  %55 = phi <2 x float> [ %52, %48 ], [ %47, %42 ]
  %56 = icmp sgt i32 %2, 3
  %57 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 12
  %58 = load float, ptr addrspace(1) %57, align 4, !tbaa !5
  br i1 %56, label %65, label %59

59:                                               ; preds = %53
  %60 = fadd contract float %58, 1.000000e+00
  %61 = insertelement <2 x float> poison, float %60, i64 0
  %62 = shufflevector <2 x float> %61, <2 x float> poison, <2 x i32> zeroinitializer
  %63 = fmul contract <2 x float> %54, %62
  %64 = fmul contract <2 x float> %55, %62
  br label %70

65:                                               ; preds = %53
  %66 = insertelement <2 x float> poison, float %58, i64 0
  %67 = shufflevector <2 x float> %66, <2 x float> poison, <2 x i32> zeroinitializer
  %68 = fadd contract <2 x float> %67, %54
  %69 = fadd contract <2 x float> %67, %55
  br label %70

70:                                               ; preds = %65, %59
  %71 = phi <2 x float> [ %68, %65 ], [ %63, %59 ]
  %72 = phi <2 x float> [ %69, %65 ], [ %64, %59 ]
  %73 = fptosi <2 x float> %71 to <2 x i32>
  store <2 x i32> %73, ptr addrspace(1) %0, align 4, !tbaa !9
  %74 = fptosi <2 x float> %72 to <2 x i32>
  %75 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 8
  store <2 x i32> %74, ptr addrspace(1) %75, align 4, !tbaa !9
  %76 = getelementptr inbounds i8, ptr addrspace(1) %0, i64 16
  store i32 33, ptr addrspace(1) %76, align 4, !tbaa !9
  ret void
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "amdgpu-flat-work-group-size"="1,1024" "amdgpu-no-agpr" "amdgpu-no-completion-action" "amdgpu-no-default-queue" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx942" "target-features"="+16-bit-insts,+atomic-buffer-global-pk-add-f16-insts,+atomic-ds-pk-add-16-insts,+atomic-fadd-rtn-insts,+atomic-flat-pk-add-16-insts,+atomic-global-pk-add-bf16-inst,+ci-insts,+dl-insts,+dot1-insts,+dot10-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+fp8-conversion-insts,+fp8-insts,+gfx8-insts,+gfx9-insts,+gfx90a-insts,+gfx940-insts,+mai-insts,+s-memrealtime,+s-memtime-inst,+wavefrontsize64" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
!1 = !{i32 1, !"amdgpu_printf_kind", !"hostcall"}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 8, !"PIC Level", i32 2}
!4 = !{!"clang"}
!5 = !{!6, !6, i64 0}
!6 = !{!"float", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !7, i64 0}
