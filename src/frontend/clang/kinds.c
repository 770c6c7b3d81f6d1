/* Kinds of cursors, types and operators, by name. */
#include "frontend/clang/kinds.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "frontend/clang/libclang.h"

struct kind {
	int number;
	const char *name; /* libclang's spelling */
};

/* The kinds that the frontend uses; a test finds missing ones. */
#define C(k) {CXCursor_##k, #k}
static const struct kind cursors[] = {C(ArraySubscriptExpr), C(BinaryOperator), C(BreakStmt),
	C(BuiltinBitCastExpr), C(CStyleCastExpr), C(CXXBoolLiteralExpr), C(CXXConstCastExpr),
	C(CXXForRangeStmt), C(CXXFunctionalCastExpr), C(CXXMethod), C(CXXNullPtrLiteralExpr),
	C(CXXReinterpretCastExpr), C(CXXStaticCastExpr), C(CXXThisExpr), C(CallExpr), C(CaseStmt),
	C(CharacterLiteral), C(ClassDecl), C(ClassTemplate), C(ClassTemplatePartialSpecialization),
	C(CompoundAssignOperator), C(CompoundLiteralExpr), C(CompoundStmt), C(ConditionalOperator),
	C(ContinueStmt), C(DeclRefExpr), C(DeclStmt), C(DefaultStmt), C(DoStmt),
	C(EnumConstantDecl), C(EnumDecl), C(FieldDecl), C(FloatingLiteral), C(ForStmt),
	C(FriendDecl), C(FunctionDecl), C(FunctionTemplate), C(GCCAsmStmt), C(GNUNullExpr),
	C(GotoStmt), C(IfStmt), C(ImaginaryLiteral), C(InitListExpr), C(IntegerLiteral),
	C(LabelStmt), C(LambdaExpr), C(LinkageSpec), C(MSAsmStmt), C(MemberRef), C(MemberRefExpr),
	C(Namespace), C(NamespaceRef), C(NonTypeTemplateParameter), C(NullStmt),
	C(OverloadedDeclRef), C(ParenExpr), C(ParmDecl), C(ReturnStmt), C(SizeOfPackExpr),
	C(StringLiteral), C(StructDecl), C(SwitchStmt), C(TemplateRef),
	C(TemplateTemplateParameter), C(TemplateTypeParameter), C(TranslationUnit), C(TypeRef),
	C(UnaryExpr), C(UnaryOperator), C(UnexposedDecl), C(UnexposedExpr), C(UnexposedStmt),
	C(UnionDecl), C(VarDecl), C(VariableRef), C(WhileStmt),
	{CXCursor_CUDAConstantAttr, "attribute(constant)"},
	{CXCursor_CUDADeviceAttr, "attribute(device)"},
	{CXCursor_CUDAGlobalAttr, "attribute(global)"}, {CXCursor_CUDAHostAttr, "attribute(host)"},
	{CXCursor_CUDASharedAttr, "attribute(shared)"},
	{CXCursor_CXXBaseSpecifier, "C++ base class specifier"},
	{CXCursor_Constructor, "CXXConstructor"}, {CXCursor_ConversionFunction, "CXXConversion"},
	{CXCursor_Destructor, "CXXDestructor"},
	{CXCursor_InclusionDirective, "inclusion directive"},
	{CXCursor_MacroDefinition, "macro definition"}};
#undef C

#define T(k) {CXType_##k, #k}
static const struct kind types[] = {T(BFloat16), T(BlockPointer), T(Bool), T(Char_U), T(Complex),
	T(ConstantArray), T(Dependent), T(Double), T(Enum), T(ExtVector), T(Float), T(Float128),
	T(Float16), T(FunctionNoProto), T(FunctionProto), T(Half), T(IncompleteArray), T(Int128),
	T(Invalid), T(LValueReference), T(LongDouble), T(MemberPointer), T(NullPtr), T(Overload),
	T(Pointer), T(RValueReference), T(Record), T(UInt128), T(Unexposed), T(VariableArray),
	T(Vector), T(Void), {CXType_LastBuiltin, "Ibm128"}};
#undef T

static const struct kind binaries[] = {{CXBinaryOperator_Add, "+"},
	{CXBinaryOperator_AddAssign, "+="}, {CXBinaryOperator_And, "&"},
	{CXBinaryOperator_AndAssign, "&="}, {CXBinaryOperator_Assign, "="},
	{CXBinaryOperator_Comma, ","}, {CXBinaryOperator_Div, "/"},
	{CXBinaryOperator_DivAssign, "/="}, {CXBinaryOperator_EQ, "=="},
	{CXBinaryOperator_GE, ">="}, {CXBinaryOperator_GT, ">"}, {CXBinaryOperator_LAnd, "&&"},
	{CXBinaryOperator_LE, "<="}, {CXBinaryOperator_LOr, "||"}, {CXBinaryOperator_LT, "<"},
	{CXBinaryOperator_Mul, "*"}, {CXBinaryOperator_MulAssign, "*="},
	{CXBinaryOperator_NE, "!="}, {CXBinaryOperator_Or, "|"}, {CXBinaryOperator_OrAssign, "|="},
	{CXBinaryOperator_Rem, "%"}, {CXBinaryOperator_RemAssign, "%="},
	{CXBinaryOperator_Shl, "<<"}, {CXBinaryOperator_ShlAssign, "<<="},
	{CXBinaryOperator_Shr, ">>"}, {CXBinaryOperator_ShrAssign, ">>="},
	{CXBinaryOperator_Sub, "-"}, {CXBinaryOperator_SubAssign, "-="},
	{CXBinaryOperator_Xor, "^"}, {CXBinaryOperator_XorAssign, "^="}};

static const struct kind unaries[] = {{CXUnaryOperator_AddrOf, "&"}, {CXUnaryOperator_Deref, "*"},
	{CXUnaryOperator_LNot, "!"}, {CXUnaryOperator_Minus, "-"}, {CXUnaryOperator_Not, "~"},
	{CXUnaryOperator_Plus, "+"}, {CXUnaryOperator_PostDec, "--"},
	{CXUnaryOperator_PostInc, "++"}, {CXUnaryOperator_PreDec, "--"},
	{CXUnaryOperator_PreInc, "++"}};

static bool is_called(CXString said, const char *name)
{
	const char *text = clang_getCString(said);
	bool same = text && strcmp(text, name) == 0;
	clang_disposeString(said);
	return same;
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const char *kinds_other(void)
{
	for (size_t i = 0; i < COUNT(cursors); i++) {
		enum CXCursorKind k = (enum CXCursorKind)cursors[i].number;
		if (!is_called(clang_getCursorKindSpelling(k), cursors[i].name)) {
			return cursors[i].name;
		}
	}
	for (size_t i = 0; i < COUNT(types); i++) {
		enum CXTypeKind k = (enum CXTypeKind)types[i].number;
		if (!is_called(clang_getTypeKindSpelling(k), types[i].name)) {
			return types[i].name;
		}
	}
	for (size_t i = 0; i < COUNT(binaries); i++) {
		enum CXBinaryOperatorKind k = (enum CXBinaryOperatorKind)binaries[i].number;
		if (!is_called(clang_getBinaryOperatorKindSpelling(k), binaries[i].name)) {
			return binaries[i].name;
		}
	}
	for (size_t i = 0; i < COUNT(unaries); i++) {
		enum CXUnaryOperatorKind k = (enum CXUnaryOperatorKind)unaries[i].number;
		if (!is_called(clang_getUnaryOperatorKindSpelling(k), unaries[i].name)) {
			return unaries[i].name;
		}
	}
	return NULL;
}
