; ModuleID = 'tests/golden/verify/veto.hip'
target triple = "amdgcn-amd-amdhsa"

; Function Attrs: argmemonly mustprogress nofree norecurse nosync nounwind
define protected amdgpu_kernel void @_Z1kPiPKfi(ptr addrspace(1) nocapture noundef writeonly %0, ptr addrspace(1) nocapture noundef readonly %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = icmp sgt i32 %2, 0
  %5 = load float, ptr addrspace(1) %1, align 4, !tbaa !3
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
  %23 = getelementptr inbounds float, ptr addrspace(1) %1, i64 1
  %24 = load float, ptr addrspace(1) %23, align 4, !tbaa !3
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
  %40 = getelementptr inbounds float, ptr addrspace(1) %1, i64 2
  %41 = load float, ptr addrspace(1) %40, align 4, !tbaa !3
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
  %57 = getelementptr inbounds float, ptr addrspace(1) %1, i64 3
  %58 = load float, ptr addrspace(1) %57, align 4, !tbaa !3
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
  store <2 x i32> %73, ptr addrspace(1) %0, align 4, !tbaa !7
  %74 = fptosi <2 x float> %72 to <2 x i32>
  %75 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 2
  store <2 x i32> %74, ptr addrspace(1) %75, align 4, !tbaa !7
  %76 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 4
  store i32 33, ptr addrspace(1) %76, align 4, !tbaa !7
  ret void
}

attributes #0 = { argmemonly mustprogress nofree norecurse nosync nounwind "amdgpu-flat-work-group-size"="1,1024" "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx90a" "target-features"="+16-bit-insts,+ci-insts,+dl-insts,+dot1-insts,+dot2-insts,+dot3-insts,+dot4-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+flat-address-space,+gfx8-insts,+gfx9-insts,+gfx90a-insts,+mai-insts,+s-memrealtime,+s-memtime-inst" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 1}
!2 = !{!"clang"}
!3 = !{!4, !4, i64 0}
!4 = !{!"float", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C++ TBAA"}
!7 = !{!8, !8, i64 0}
!8 = !{!"int", !5, i64 0}
