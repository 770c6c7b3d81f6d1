/*
 * Instantiations that no declaration shows. libclang visits what is written, and a kernel that only
 * std::visit's table, a virtual member or a lambda inside a template launches is written nowhere.
 * Its index goes through the bodies of all functions that the file instantiates, and names with
 * each declaration used there the function that uses it.
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
	struct ids seen;  /* declarations that were looked at */
	const void *last; /* the function in question in the call before */
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

/* The function around a reference, and what is referred to: a kernel's body may name nothing. */
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
