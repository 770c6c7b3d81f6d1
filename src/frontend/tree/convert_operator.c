/* Operators, by cursor and by the name of the function. */
#include <string.h>
#include "frontend/tree/convert.h"

enum kt_op convert_binary_op(CXCursor c, bool *assign)
{
	*assign = false;
	switch (clang_getCursorBinaryOperatorKind(c)) {
	case CXBinaryOperator_Assign:
		*assign = true;
		return KT_OP_NONE;
	case CXBinaryOperator_AddAssign:
		*assign = true;
		return KT_OP_ADD;
	case CXBinaryOperator_SubAssign:
		*assign = true;
		return KT_OP_SUB;
	case CXBinaryOperator_MulAssign:
		*assign = true;
		return KT_OP_MUL;
	case CXBinaryOperator_DivAssign:
		*assign = true;
		return KT_OP_DIV;
	case CXBinaryOperator_RemAssign:
		*assign = true;
		return KT_OP_REM;
	case CXBinaryOperator_ShlAssign:
		*assign = true;
		return KT_OP_SHL;
	case CXBinaryOperator_ShrAssign:
		*assign = true;
		return KT_OP_SHR;
	case CXBinaryOperator_AndAssign:
		*assign = true;
		return KT_OP_AND;
	case CXBinaryOperator_XorAssign:
		*assign = true;
		return KT_OP_XOR;
	case CXBinaryOperator_OrAssign:
		*assign = true;
		return KT_OP_OR;
	case CXBinaryOperator_Mul:
		return KT_OP_MUL;
	case CXBinaryOperator_Div:
		return KT_OP_DIV;
	case CXBinaryOperator_Rem:
		return KT_OP_REM;
	case CXBinaryOperator_Add:
		return KT_OP_ADD;
	case CXBinaryOperator_Sub:
		return KT_OP_SUB;
	case CXBinaryOperator_Shl:
		return KT_OP_SHL;
	case CXBinaryOperator_Shr:
		return KT_OP_SHR;
	case CXBinaryOperator_LT:
		return KT_OP_LT;
	case CXBinaryOperator_GT:
		return KT_OP_GT;
	case CXBinaryOperator_LE:
		return KT_OP_LE;
	case CXBinaryOperator_GE:
		return KT_OP_GE;
	case CXBinaryOperator_EQ:
		return KT_OP_EQ;
	case CXBinaryOperator_NE:
		return KT_OP_NE;
	case CXBinaryOperator_And:
		return KT_OP_AND;
	case CXBinaryOperator_Xor:
		return KT_OP_XOR;
	case CXBinaryOperator_Or:
		return KT_OP_OR;
	case CXBinaryOperator_LAnd:
		return KT_OP_LAND;
	case CXBinaryOperator_LOr:
		return KT_OP_LOR;
	case CXBinaryOperator_Comma:
		return KT_OP_COMMA;
	default:
		return KT_OP_OTHER;
	}
}

enum kt_op convert_unary_op(CXCursor c)
{
	switch (clang_getCursorUnaryOperatorKind(c)) {
	case CXUnaryOperator_PostInc:
		return KT_OP_POSTINC;
	case CXUnaryOperator_PostDec:
		return KT_OP_POSTDEC;
	case CXUnaryOperator_PreInc:
		return KT_OP_PREINC;
	case CXUnaryOperator_PreDec:
		return KT_OP_PREDEC;
	case CXUnaryOperator_AddrOf:
		return KT_OP_ADDR;
	case CXUnaryOperator_Deref:
		return KT_OP_DEREF;
	case CXUnaryOperator_Plus:
		return KT_OP_PLUS;
	case CXUnaryOperator_Minus:
		return KT_OP_NEG;
	case CXUnaryOperator_Not:
		return KT_OP_NOT;
	case CXUnaryOperator_LNot:
		return KT_OP_LNOT;
	default:
		return KT_OP_OTHER;
	}
}

/* "operator+=" -> KT_OP_ADD, assign; "operator[]" gives KT_OP_OTHER. */
enum kt_op convert_operator_of(const char *name, bool unary, bool *assign)
{
	static const struct {
		const char *text;
		enum kt_op op;
	} table[] = {{"+", KT_OP_ADD}, {"-", KT_OP_SUB}, {"*", KT_OP_MUL}, {"/", KT_OP_DIV},
		{"%", KT_OP_REM}, {"<<", KT_OP_SHL}, {">>", KT_OP_SHR}, {"&", KT_OP_AND},
		{"|", KT_OP_OR}, {"^", KT_OP_XOR}, {"<", KT_OP_LT}, {">", KT_OP_GT},
		{"<=", KT_OP_LE}, {">=", KT_OP_GE}, {"==", KT_OP_EQ}, {"!=", KT_OP_NE}};
	struct str s = str_of(name + strlen("operator"));
	*assign = false;
	if (str_is(s, "=")) {
		*assign = true;
		return KT_OP_NONE;
	}
	if (unary) {
		return str_is(s, "-") ? KT_OP_NEG : str_is(s, "*") ? KT_OP_DEREF : KT_OP_OTHER;
	}
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (str_is(s, table[i].text)) {
			return table[i].op;
		}
	}
	if (s.n > 1 && s.p[s.n - 1] == '=') {
		for (size_t i = 0; i < 10; i++) {
			if (str_is(str_sub(s, 0, s.n - 1), table[i].text)) {
				*assign = true;
				return table[i].op;
			}
		}
	}
	return KT_OP_OTHER;
}
