/*
 * Instantiations that no declaration shows. libclang visits only written code. A kernel that is
 * launched only by std::visit's table, a virtual member or a lambda inside a template is never
 * written. libclang's index visits the bodies of all functions that the file instantiates, and
 * reports each declaration used there with the function around the use.
 */
#include "frontend/tree/instances.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

enum {
	INDEX_INSTANTIATIONS = 4 /* CXIndexOpt_IndexImplicitTemplateInstantiations */
};

struct index {
	struct instances *out;
	struct ids seen;  /* visited declarations */
	const void *last; /* the function of the previous call */
};

static bool is_instance(CXCursor c)
{
	return !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(c)) &&
	       !clang_Location_isInSystemHeader(clang_getCursorLocation(c));
}

bool instance_of_host(CXCursor fn)
{
	return is_instance(fn) && !(cursor_attrs(fn) & (CURSOR_GLOBAL | CURSOR_DEVICE));
}

static void see_function(struct index *x, CXCursor c)
{
	uintptr_t key = (uintptr_t)c.data[0];
	if (key && ids_set(&x->seen, key, 1) && is_instance(c)) {
		unsigned has = cursor_attrs(c);
		if (has & CURSOR_GLOBAL) {
			CXString symbol = clang_Cursor_getMangling(c);
			array_push(&x->out->kernels, (struct instance){c, symbol});
		} else if (!(has & CURSOR_DEVICE)) {
			array_push(&x->out->others, c);
		}
	}
}

/* Adds the function around a reference, and the function that it refers to: a kernel's body may
 * refer to nothing. */
static void see_reference(CXClientData data, const CXIdxEntityRefInfo *ref)
{
	struct index *x = data;
	const CXIdxEntityInfo *in = ref->parentEntity;
	if (in && in->cursor.data[0] != x->last) {
		x->last = in->cursor.data[0];
		see_function(x, in->cursor);
	}
	if (ref->referencedEntity->kind == CXIdxEntity_Function &&
		clang_getCursorKind(ref->cursor) == CXCursor_DeclRefExpr) {
		see_function(x, clang_getCursorReferenced(ref->cursor));
	}
}

static int by_symbol(const void *x, const void *y)
{
	const struct instance *a = x, *b = y;
	return strcmp(clang_getCString(a->symbol), clang_getCString(b->symbol));
}

void instances_find(struct instances *out, CXTranslationUnit tu)
{
	struct index x = {.out = out};
	IndexerCallbacks see = {.indexEntityReference = see_reference};
	CXIndex index = clang_createIndex(0, 0);
	CXIndexAction action = clang_IndexAction_create(index);
	clang_indexTranslationUnit(action, &x, &see, sizeof(see), INDEX_INSTANTIATIONS, tu);
	clang_IndexAction_dispose(action);
	clang_disposeIndex(index);
	ids_release(&x.seen);
	array_sort(&out->kernels, by_symbol);
}

void instances_release(struct instances *in)
{
	array_each (&in->kernels, struct instance, k) {
		clang_disposeString(k->symbol);
	}
	array_release(&in->kernels);
	array_release(&in->others);
}
