; ModuleID = 'kernel.hip'
define protected amdgpu_kernel void @_ZN4tile9if_else_kILi4EEEvPf(ptr addrspace(1) %0) #0 {
entry:
  br label %loop

loop:
  %a = phi <4 x float> [ zeroinitializer, %entry ], [ %x, %loop ]
  %b = phi fast <16 x float> [ zeroinitializer, %entry ], [ %y, %loop ]
  %c = phi <2 x float> [ zeroinitializer, %entry ], [ %z, %loop ]
  %d = phi <8 x half> [ zeroinitializer, %entry ], [ %w, %loop ]
  %e = phi <4 x half> [ zeroinitializer, %entry ], [ %w, %loop ]
  %f = phi <2 x ptr> [ zeroinitializer, %entry ], [ %p, %loop ]
  %g = phi <2 x ptr addrspace(3)> [ zeroinitializer, %entry ], [ %p, %loop ]
  %h = phi <16 x i8> [ zeroinitializer, %entry ], [ %q, %loop ]
  %i = phi float [ 0.0, %entry ], [ %r, %loop ]
  %j = phi [4 x <4 x float>] [ zeroinitializer, %entry ], [ %s, %loop ]
  br label %loop
}

define linkonce_odr hidden <4 x float> @helper(<4 x float> %0) {
  %1 = phi <4 x float> [ zeroinitializer, %entry ]
  ret <4 x float> %1
}

define protected amdgpu_kernel void @"unskipped"(ptr addrspace(1) %0) #0 {
  ret void
}
