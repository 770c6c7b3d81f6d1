; ModuleID = 'tests/golden/lint/formats.hip'
target triple = "amdgcn-amd-amdhsa"

@.str = private unnamed_addr addrspace(4) constant [10 x i8] c"\\ \22 \09 ]]>\00", align 1
@__hip_cuid_62cdb9ff7cb74c80 = addrspace(1) global i8 0
@llvm.compiler.used = appending addrspace(1) global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @__hip_cuid_62cdb9ff7cb74c80 to ptr)], section "llvm.metadata"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write)
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
  %9 = load i8, ptr addrspace(4) %8, align 1, !tbaa !5
  %10 = sext i8 %9 to i32
  %11 = getelementptr inbounds [64 x float], ptr addrspace(5) %3, i32 0, i32 %10
  %12 = load float, ptr addrspace(5) %11, align 4, !tbaa !8
  %13 = fadd contract float %12, 1.000000e+00
  store float %13, ptr addrspace(5) %11, align 4, !tbaa !8
  %14 = getelementptr inbounds i8, ptr addrspace(5) %4, i32 4
  store float 1.000000e+00, ptr addrspace(5) %14, align 4, !tbaa !8
  br label %17

15:                                               ; preds = %2
  store float 1.000000e+00, ptr addrspace(5) %3, align 16, !tbaa !8
  %16 = getelementptr inbounds i8, ptr addrspace(5) %4, i32 8
  store float -1.000000e+00, ptr addrspace(5) %16, align 8, !tbaa !8
  br label %17

17:                                               ; preds = %15, %6
  %18 = getelementptr inbounds [64 x float], ptr addrspace(5) %3, i32 0, i32 %1
  %19 = load float, ptr addrspace(5) %18, align 4, !tbaa !8
  %20 = getelementptr inbounds [32 x float], ptr addrspace(5) %4, i32 0, i32 %1
  %21 = load float, ptr addrspace(5) %20, align 4, !tbaa !8
  %22 = fadd contract float %19, %21
  store float %22, ptr addrspace(1) %0, align 4, !tbaa !8
  call void @llvm.lifetime.end.p5(i64 128, ptr addrspace(5) %4) #3
  call void @llvm.lifetime.end.p5(i64 256, ptr addrspace(5) %3) #3
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p5(i64 immarg, ptr addrspace(5) nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p5(i64 immarg, ptr addrspace(5) nocapture) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p5.i64(ptr addrspace(5) nocapture writeonly, i8, i64, i1 immarg) #2

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) "amdgpu-flat-work-group-size"="1,1024" "amdgpu-no-agpr" "amdgpu-no-completion-action" "amdgpu-no-default-queue" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-queue-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="gfx1100" "target-features"="+16-bit-insts,+atomic-fadd-rtn-insts,+ci-insts,+dl-insts,+dot10-insts,+dot5-insts,+dot7-insts,+dot8-insts,+dot9-insts,+dpp,+gfx10-3-insts,+gfx10-insts,+gfx11-insts,+gfx8-insts,+gfx9-insts,+wavefrontsize32" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nounwind }

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
!8 = !{!9, !9, i64 0}
!9 = !{!"float", !6, i64 0}
