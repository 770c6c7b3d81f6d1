; ModuleID = 'tests/golden/lint/formats.hip'
target triple = "amdgcn-amd-amdhsa"

@.str = private unnamed_addr addrspace(4) constant [10 x i8] c"\\ \22 \09 ]]>\00", align 1

; Function Attrs: argmemonly mustprogress nofree norecurse nosync nounwind willreturn writeonly
define protected amdgpu_kernel void @_Z6kernelPfi(ptr addrspace(1) nocapture noundef writeonly %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = alloca [64 x float], align 16, addrspace(5)
  %4 = alloca [32 x float], align 16, addrspace(5)
  call void @llvm.lifetime.start.p5(i64 256, ptr addrspace(5) %3) #3
  call void @llvm.memset.p5.i64(ptr addrspace(5) noundef align 16 dereferenceable(256) %3, i8 0, i64 256, i1 false)
  call void @llvm.lifetime.start.p5(i64 128, ptr addrspace(5) %4) #3
  call void @llvm.memset.p5.i64(ptr addrspace(5) noundef align 16 dereferenceable(128) %4, i8 0, i64 128, i1 false)
  %5 = icmp eq i32 %1, 0
  br i1 %5, label %15, label %6

6:                                                ; preds = %2
  %7 = sext i32 %1 to i64
  %8 = getelementptr inbounds i8, ptr addrspace(4) @.str, i64 %7
  %9 = load i8, ptr addrspace(4) %8, align 1, !tbaa !3
  %10 = sext i8 %9 to i32
  %11 = getelementptr inbounds [64 x float], ptr addrspace(5) %3, i32 0, i32 %10
  %12 = load float, ptr addrspace(5) %11, align 4, !tbaa !6
  %13 = fadd contract float %12, 1.000000e+00
  store float %13, ptr addrspace(5) %11, align 4, !tbaa !6
  %14 = getelementptr inbounds [32 x float], ptr addrspace(5) %4, i32 0, i32 1
  store float 1.000000e+00, ptr addrspace(5) %14, align 4, !tbaa !6
  br label %17

15:                                               ; preds = %2
  store float 1.000000e+00, ptr addrspace(5) %3, align 16, !tbaa !6
  %16 = getelementptr inbounds [32 x float], ptr addrspace(5) %4, i32 0, i32 2
  store float -1.000000e+00, ptr addrspace(5) %16, align 8, !tbaa !6
  br label %17

17:                                               ; preds = %15, %6
  %18 = getelementptr inbounds [64 x float], ptr addrspace(5) %3, i32 0, i32 %1
  %19 = load float, ptr addrspace(5) %18, align 4, !tbaa !6
  %20 = getelementptr inbounds [32 x float], ptr addrspace(5) %4, i32 0, i32 %1
  %21 = load float, ptr addrspace(5) %20, align 4, !tbaa !6
  %22 = fadd contract float %19, %21
  store float %22, ptr addrspace(1) %0, align 4, !tbaa !6
  call void @llvm.lifetime.end.p5(i64 128, ptr addrspace(5) %4) #3
  call void @llvm.lifetime.end.p5(i64 256, ptr addrspace(5) %3) #3
  ret void
}

; Function Attrs: argmemonly mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p5(i64 immarg, ptr addrspace(5) nocapture) #1

; Function Attrs: argmemonly mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p5(i64 immarg, ptr addrspace(5) nocapture) #1

; Function Attrs: argmemonly nocallback nofree nounwind willreturn writeonly
declare void @llvm.memset.p5.i64(ptr addrspace(5) nocapture writeonly, i8, i64, i1 immarg) #2

attributes #0 = { argmemonly mustprogress nofree norecurse nosync nounwind willreturn writeonly "amdgpu-flat-work-group-size"="1,1024" "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx1030" "target-features"="+16-bit-insts,+ci-insts,+dl-insts,+dot1-insts,+dot2-insts,+dot5-insts,+dot6-insts,+dot7-insts,+dpp,+flat-address-space,+gfx10-3-insts,+gfx10-insts,+gfx8-insts,+gfx9-insts,+s-memrealtime,+s-memtime-inst" "uniform-work-group-size"="true" }
attributes #1 = { argmemonly mustprogress nocallback nofree nosync nounwind willreturn }
attributes #2 = { argmemonly nocallback nofree nounwind willreturn writeonly }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 1}
!2 = !{!"clang"}
!3 = !{!4, !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C++ TBAA"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !4, i64 0}
