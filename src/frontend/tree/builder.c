#include "frontend/tree/records.h"

#include <string.h>

/* Unnamed entities are named by place, "(lambda at FILE:3:4)": uses the user's name of the file. */
static const char *rename_files(struct builder *b, const char *text)
{
	static const char mark[] = " at /";
	struct str rest = str_of(text);
	struct sbuf out = {0};
	for (size_t at; (at = str_find(rest, mark, 0)) != SIZE_MAX;) {
		size_t begin = at + sizeof(mark) - 2;
		size_t end = str_find(rest, ":", begin);
		struct str file = str_sub(rest, begin, end);
		const char *name = (const char *)map_get(&b->names, file, 0);
		sbuf_addstr(&out, str_sub(rest, 0, begin));
		sbuf_addstr(&out, name ? str_of(name) : file);
		rest = str_sub(rest, end, rest.n);
	}
	sbuf_addstr(&out, rest);
	return sbuf_finish(&out, b->arena).p;
}

const char *builder_text(struct builder *b, CXString s)
{
	const char *c = clang_getCString(s);
	const char *copy = builder_intern(b, str_of(c ? c : ""));
	clang_disposeString(s);
	return b->names.n && strstr(copy, " at /") ? rename_files(b, copy) : copy;
}

const char *builder_intern(struct builder *b, struct str text)
{
	const char *s = (const char *)map_get(&b->interned, text, 0);
	if (!s) {
		s = arena_strndup(b->arena, text.p, text.n);
		map_set(&b->interned, text, (uintptr_t)s);
	}
	return s;
}

void builder_init(struct builder *b, CXTranslationUnit tu, struct arena *a)
{
	memset(b, 0, sizeof(*b));
	b->tu = tu;
	b->arena = a;
	b->scratch = arena_create();
	b->bodies.arena = arena_create();
	array_push(&b->files, (struct kt_file){0}); /* id 0 is none */
	array_push(&b->types, (struct kt_type){0});
	array_push(&b->type_of, (CXType){0});
	array_push(&b->syms, (struct kt_sym){0});
	array_push(&b->fns, (struct kt_fn){0});
	array_push(&b->fn_cursor, clang_getNullCursor());
	array_push(&b->launches, (struct launches){0});
	array_push(&b->bodies.of, (struct str){0});
}

void bodies_release(struct bodies *b)
{
	array_release(&b->of);
	arena_free(b->arena);
	*b = (struct bodies){0};
}

void builder_release(struct builder *b)
{
	array_release(&b->files);
	array_release(&b->types);
	array_release(&b->type_of);
	array_release(&b->end);
	array_release(&b->syms);
	array_release(&b->fns);
	array_release(&b->fn_cursor);
	array_release(&b->launches);
	array_release(&b->patterns);
	array_release(&b->templates);
	array_release(&b->file_slots);
	array_each (&b->lambdas, struct lambda, l) {
		array_release(&l->member);
	}
	array_release(&b->lambdas);
	map_release(&b->lambda_by_class);
	arena_free(b->scratch);
	sbuf_release(&b->packing);
	bodies_release(&b->bodies);
	map_release(&b->names);
	map_release(&b->interned);
	map_release(&b->type_by_ptr);
	map_release(&b->type_by_name);
	map_release(&b->sym_by_hash);
	map_release(&b->binding_by_hash);
	map_release(&b->fn_by_hash);
	map_release(&b->changed);
	map_release(&b->changed_in);
	map_release(&b->by_reference);
	map_release(&b->records);
}

/* Set at the end, because earlier the declarations that they depend on may not have been seen. */
static void finish_types(struct builder *b)
{
	for (kt_id id = 1; id < b->types.n; id++) {
		CXType t = b->type_of.v[id];
		enum kt_type_kind kind = b->types.v[id].kind;
		if (t.kind != CXType_Invalid && (kind == KT_T_RECORD || kind == KT_T_ARRAY)) {
			b->types.v[id].destroys = record_runs(b, t, RECORD_END);
			b->types.v[id].punned = record_is_punned(b, t);
		}
	}
}

struct kt_unit *builder_finish(struct builder *b, const char *target, struct bodies *bodies)
{
	struct kt_unit *u = ARENA_NEW(b->arena, struct kt_unit);
	describe_arguments(b);
	finish_types(b);
	u->hides = b->hides;
	u->arena = b->arena;
	u->target = arena_strdup(b->arena, target);
	u->file = array_to_arena(b->arena, &b->files);
	u->files = b->files.n;
	u->type = array_to_arena(b->arena, &b->types);
	u->types = b->types.n;
	u->sym = array_to_arena(b->arena, &b->syms);
	u->syms = b->syms.n;
	for (kt_id id = 1; id < b->fns.n; id++) {
		b->fns.v[id].threads = launch_threads(b, id);
		b->fns.v[id].known_threads = (int32_t)b->launches.v[id].threads;
		b->fns.v[id].flat = launch_is_flat(b, id);
		b->fns.v[id].launch = b->launches.v[id].first;
	}
	u->fn = array_to_arena(b->arena, &b->fns);
	u->fns = b->fns.n;
	u->pattern = array_to_arena(b->arena, &b->patterns);
	u->patterns = b->patterns.n;
	*bodies = b->bodies;
	b->bodies = (struct bodies){0};
	return u;
}

kt_id builder_file(struct builder *b, CXFile f, CXSourceLocation in)
{
	if (!f) {
		return 0;
	}
	array_each (&b->file_slots, struct file_slot, it) {
		if (it->file == f || clang_File_isEqual(it->file, f)) {
			return it->id;
		}
	}
	if (b->files.n > KT_FILES_MAX) {
		return 0;
	}
	struct kt_file kf = {0};
	kf.path = builder_text(b, clang_getFileName(f));
	kf.path = (const char *)map_get(&b->names, str_of(kf.path), (uintptr_t)kf.path);
	kf.system = clang_Location_isInSystemHeader(in);
	bool main = clang_Location_isFromMainFile(in);
	kf.main = main;
	if (b->header) {
		kf.main = clang_File_isEqual(f, b->header);
		kf.path = kf.main ? b->header_path : kf.path;
	}
	if (main && b->main_text.p) {
		kf.text = b->main_text; /* without the probes after its end */
	} else {
		size_t n = 0;
		const char *p = clang_getFileContents(b->tu, f, &n);
		kf.text = (struct str){p ? arena_strndup(b->arena, p, n) : "", p ? n : 0};
	}
	array_push(&b->files, kf);
	kt_id id = (kt_id)(b->files.n - 1);
	array_push(&b->file_slots, (struct file_slot){f, id});
	return id;
}

kt_id cursor_get(const struct map *m, CXCursor c)
{
	struct cursor_slot *s = (struct cursor_slot *)map_get_u64(m, clang_hashCursor(c), 0);
	for (; s; s = s->next) {
		if (clang_equalCursors(s->cursor, c)) {
			return s->id;
		}
	}
	return 0;
}

void cursor_set(struct builder *b, struct map *m, CXCursor c, kt_id id)
{
	struct cursor_slot *s = ARENA_NEW(b->arena, struct cursor_slot);
	s->cursor = c;
	s->id = id;
	s->next = (struct cursor_slot *)map_get_u64(m, clang_hashCursor(c), 0);
	map_set_u64(m, clang_hashCursor(c), (uintptr_t)s);
}

static bool is_function_parent(CXCursor parent)
{
	switch (clang_getCursorKind(parent)) {
	case CXCursor_FunctionDecl:
	case CXCursor_CXXMethod:
	case CXCursor_Constructor:
	case CXCursor_Destructor:
	case CXCursor_ConversionFunction:
	case CXCursor_FunctionTemplate:
	case CXCursor_LambdaExpr:
		return true;
	default:
		return false;
	}
}

void builder_place(struct builder *b, CXSourceLocation loc, kt_id *file, uint32_t *offset)
{
	CXFile f = NULL;
	unsigned off = 0;
	clang_getFileLocation(loc, &f, NULL, NULL, &off);
	*file = builder_file(b, f, loc);
	*offset = off;
}

/* The offset for struct kt_sym. In an anonymous record libclang counts from that record's start. */
static int64_t offset_of(CXCursor field)
{
	long long bits = clang_Cursor_getOffsetOfField(field);
	bool inner = clang_Cursor_isAnonymousRecordDecl(clang_getCursorSemanticParent(field));
	return bits >= 0 && !inner ? 1 + bits / 8 : 0;
}

static void find_union(struct builder *b, struct kt_sym *s, CXCursor field)
{
	CXCursor up = clang_getCursorSemanticParent(field);
	bool united = clang_getCursorKind(up) == CXCursor_UnionDecl;
	while (clang_Cursor_isAnonymousRecordDecl(up)) {
		up = clang_getCursorSemanticParent(up);
		united |= clang_getCursorKind(up) == CXCursor_UnionDecl;
	}
	CXType t = clang_getCursorType(up);
	long long bits = united && *s->name ? clang_Type_getOffsetOf(t, s->name) : -1;
	s->united = bits >= 0 ? builder_type(b, t) : 0;
	s->united_at = bits >= 0 ? bits / 8 : 0;
}

kt_id builder_sym(struct builder *b, CXCursor decl)
{
	CXCursor c = clang_getCanonicalCursor(decl);
	enum CXCursorKind kind = clang_getCursorKind(decl);
	if (kind == CXCursor_ParmDecl) {
		/* each declaration of a function has its own parameters; those of the definition
		 * count */
		c = decl;
	}
	kt_id id = cursor_get(&b->sym_by_hash, c);
	if (id) {
		return id;
	}
	struct kt_sym s = {0};
	s.name = builder_text(b, clang_getCursorSpelling(decl));
	s.type = builder_type(b, clang_getCursorType(decl));
	builder_place(b, clang_getCursorLocation(decl), &s.file, &s.at);
	if (kind == CXCursor_ParmDecl) {
		s.kind = KT_S_GLOBAL; /* until its function is found */
		s.space = KT_GLOBAL;
		s.type = builder_decayed(b, s.type);
	} else if (kind == CXCursor_FieldDecl) {
		s.kind = KT_S_FIELD;
		s.owner = KT_OWNER_OBJECT;
		s.is_bit_field = clang_Cursor_isBitField(decl);
		s.offset = s.is_bit_field ? 0 : offset_of(decl);
		find_union(b, &s, decl);
	} else if (kind == CXCursor_EnumConstantDecl || kind == CXCursor_NonTypeTemplateParameter) {
		s.kind = KT_S_CONST;
		s.owner = KT_OWNER_NONE;
		s.space = KT_CONSTANT;
	} else {
		unsigned a = cursor_attrs(decl);
		enum CX_StorageClass sc = clang_Cursor_getStorageClass(decl);
		bool local = is_function_parent(clang_getCursorSemanticParent(decl));
		s.is_extern = sc == CX_SC_Extern;
		s.is_static = sc == CX_SC_Static || s.is_extern;
		bool lasts = !local || s.is_static || a & CURSOR_SHARED ||
			     clang_getCursorTLSKind(decl) != CXTLS_None;
		s.kind = KT_S_GLOBAL;
		s.owner = lasts ? KT_OWNER_STATIC : KT_OWNER_UNKNOWN;
		s.space = a & CURSOR_SHARED ? KT_SHARED
			  : a & CURSOR_CONSTANT || (lasts && b->types.v[s.type].is_const)
				  ? KT_CONSTANT
				  : KT_GLOBAL;
	}
	array_push(&b->syms, s);
	id = (kt_id)(b->syms.n - 1);
	cursor_set(b, &b->sym_by_hash, c, id);
	return id;
}

kt_id builder_declare(struct builder *b, CXCursor decl)
{
	kt_id id = builder_sym(b, decl);
	struct kt_sym *s = &b->syms.v[id];
	if (s->owner == KT_OWNER_UNKNOWN) {
		bool param = clang_getCursorKind(decl) == CXCursor_ParmDecl;
		s->kind = param ? KT_S_PARAM : KT_S_LOCAL;
		s->owner = KT_OWNER_RUN;
		s->space = s->space == KT_CONSTANT ? KT_CONSTANT : KT_PRIVATE;
		s->fn = b->cur_fn;
	}
	return id;
}

kt_id builder_binding(struct builder *b, CXCursor decl)
{
	if (clang_getCursorKind(decl) != CXCursor_UnexposedDecl) {
		return 0;
	}
	kt_id id = cursor_get(&b->binding_by_hash, decl);
	if (!id) {
		cursor_set(b, &b->binding_by_hash, decl, BINDING_MISSED);
	}
	return id == BINDING_MISSED ? 0 : id;
}

bool builder_bind(struct builder *b, const CXCursor *decl, const kt_id *type, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (cursor_get(&b->binding_by_hash, decl[i]) == BINDING_MISSED) {
			return false;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (!cursor_get(&b->binding_by_hash, decl[i])) {
			kt_id id = builder_declare(b, decl[i]);
			b->syms.v[id].type = type[i];
			cursor_set(b, &b->binding_by_hash, decl[i], id);
		}
	}
	return true;
}

static bool has_body(CXCursor c)
{
	return !clang_Cursor_isNull(cursor_child_of(c, CXCursor_CompoundStmt));
}

static CXCursor with_body(CXCursor c)
{
	if (has_body(c)) {
		return c;
	}
	CXCursor def = clang_getCursorDefinition(c);
	return !clang_Cursor_isNull(def) && has_body(def) ? def : c;
}

bool builder_is_template_param(CXCursor c)
{
	enum CXCursorKind k = clang_getCursorKind(c);
	return k == CXCursor_TemplateTypeParameter || k == CXCursor_NonTypeTemplateParameter ||
	       k == CXCursor_TemplateTemplateParameter;
}

struct find_param {
	unsigned wanted;
	unsigned at;
	CXCursor found;
};

static enum CXChildVisitResult see_template_param(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct find_param *f = data;
	if (!builder_is_template_param(c)) {
		return CXChildVisit_Continue;
	}
	if (f->at++ == f->wanted) {
		f->found = c;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Continue;
}

/* libclang gives the value of a bool argument sign-extended, and not its type. */
static bool is_bool_param(CXCursor fn, unsigned i)
{
	struct find_param f = {.wanted = i, .found = clang_getNullCursor()};
	CXCursor pattern = clang_getSpecializedCursorTemplate(fn);
	if (clang_Cursor_isNull(pattern)) {
		return false;
	}
	clang_visitChildren(pattern, see_template_param, &f);
	return clang_getCanonicalType(clang_getCursorType(f.found)).kind == CXType_Bool;
}

static const char *template_argument(struct builder *b, CXCursor fn, unsigned i)
{
	switch (clang_Cursor_getTemplateArgumentKind(fn, i)) {
	case CXTemplateArgumentKind_Type:
		return builder_text(
			b, clang_getTypeSpelling(clang_Cursor_getTemplateArgumentType(fn, i)));
	case CXTemplateArgumentKind_Integral: {
		long long v = clang_Cursor_getTemplateArgumentValue(fn, i);
		if (is_bool_param(fn, i)) {
			return v ? "true" : "false";
		}
		return arena_printf(b->arena, "%lld", v);
	}
	default:
		return "...";
	}
}

static bool is_class(CXCursor c)
{
	enum CXCursorKind k = clang_getCursorKind(c);
	return k == CXCursor_ClassDecl || k == CXCursor_StructDecl;
}

/* A readable name of this instantiation: "ns::k<32, true>", "tile<4>::add", "lambda in k<32>". */
static const char *readable_name(struct builder *b, CXCursor fn)
{
	struct sbuf s = {0};
	CXCursor parent = clang_getCursorSemanticParent(fn);
	struct sbuf scope = {0};
	CXCursor around = clang_getCursorSemanticParent(parent);
	if (is_class(parent) && is_function_parent(around)) {
		CXString s_name = clang_getCursorSpelling(parent);
		const char *class_name = clang_getCString(s_name);
		bool lambda = !class_name || !*class_name || *class_name == '(';
		clang_disposeString(s_name);
		if (lambda) {
			return arena_printf(b->arena, "lambda in %s", readable_name(b, around));
		}
	}
	while (!clang_Cursor_isNull(parent) && clang_isDeclaration(clang_getCursorKind(parent)) &&
		!is_function_parent(parent)) {
		/* with the arguments of a class template */
		const char *name =
			builder_text(b, is_class(parent) ? clang_getCursorDisplayName(parent)
							 : clang_getCursorSpelling(parent));
		if (*name && *name != '(') {
			sbuf_reset(&s);
			sbuf_addf(&s, "%s::%s", name, sbuf_cstr(&scope));
			sbuf_reset(&scope);
			sbuf_addstr(&scope, sbuf_str(&s));
		}
		parent = clang_getCursorSemanticParent(parent);
	}
	sbuf_reset(&s);
	sbuf_addf(&s, "%s%s", sbuf_cstr(&scope), builder_text(b, clang_getCursorSpelling(fn)));
	int n = clang_Cursor_getNumTemplateArguments(fn);
	for (int i = 0; i < n; i++) {
		sbuf_addf(&s, "%s%s", i ? ", " : "<", template_argument(b, fn, (unsigned)i));
	}
	if (n > 0) {
		sbuf_addc(&s, '>');
	}
	const char *name = sbuf_finish(&s, b->arena).p;
	sbuf_release(&scope);
	return name;
}

static void fn_params(struct builder *b, struct kt_fn *f, CXCursor c, kt_id id)
{
	int n = clang_Cursor_getNumArguments(c);
	f->params = n > 0 ? (size_t)n : 0;
	f->param = ARENA_ARRAY(b->arena, kt_id, f->params);
	kt_id saved = b->cur_fn;
	b->cur_fn = id;
	for (size_t i = 0; i < f->params; i++) {
		f->param[i] = builder_declare(b, clang_Cursor_getArgument(c, (unsigned)i));
	}
	b->cur_fn = saved;
}

/* False for an unnamed struct, which has a this like other classes. */
static bool is_lambda_class(CXCursor c)
{
	CXString s = clang_getTypeSpelling(clang_getCursorType(c));
	const char *name = clang_getCString(s);
	bool lambda = name && strstr(name, "(lambda at ");
	clang_disposeString(s);
	return lambda;
}

/* The symbol for the object. It has no cursor, so its type, a reference to the class, is made
 * here. */
static kt_id self_symbol(struct builder *b, CXCursor method, kt_id fn, const char *name)
{
	CXCursor parent = clang_getCursorSemanticParent(method);
	kt_id record = builder_type(b, clang_getCursorType(parent));
	if (!record || b->types.v[record].kind != KT_T_RECORD) {
		return 0;
	}
	struct kt_type t = {.kind = KT_T_REFERENCE, .size = 8, .elem = record};
	t.name = arena_printf(b->arena, "%s &", b->types.v[record].name);
	t.canon = arena_printf(b->arena, "%s &", b->types.v[record].canon);
	struct sbuf key = {0};
	sbuf_addf(&key, "%s|%s", t.name, t.canon);
	kt_id type = (kt_id)map_get(&b->type_by_name, sbuf_str(&key), 0);
	if (!type) {
		array_push(&b->types, t);
		array_push(&b->type_of, (CXType){0});
		type = (kt_id)(b->types.n - 1);
		map_set(&b->type_by_name, sbuf_str(&key), type);
	}
	sbuf_release(&key);
	struct kt_sym s = {
		.name = name, .kind = KT_S_PARAM, .owner = KT_OWNER_RUN, .type = type, .fn = fn};
	builder_place(b, clang_getCursorLocation(method), &s.file, &s.at);
	array_push(&b->syms, s);
	return (kt_id)(b->syms.n - 1);
}

static bool is_made_up(CXCursor c)
{
	bool provided;
	return record_special(c, &provided) != RECORD_OPS && clang_CXXMethod_isDefaulted(c);
}

/* Is it a lambda in code that only devices run? Without attributes it has the attributes of that
 * code. */
static bool is_of_device(const struct builder *b, const struct kt_fn *f)
{
	const struct kt_fn *around = b->cur_fn ? &b->fns.v[b->cur_fn] : NULL;
	return f->is_lambda && around && around->kind != KT_FN_HOST && !around->on_host;
}

/* The offset of the function's name in its definition. libclang 17 gives an instantiation the place
 * of the template's first declaration; the definition's is then used. */
static uint32_t name_place(struct builder *b, CXCursor c, const struct kt_fn *f)
{
	CXCursor of[] = {c, clang_getCursorDefinition(clang_getSpecializedCursorTemplate(c))};
	for (size_t i = 0; i < 2 && !clang_Cursor_isNull(of[i]); i++) {
		kt_id file;
		uint32_t at;
		builder_place(b, clang_getCursorLocation(of[i]), &file, &at);
		if (file == f->file && at >= f->begin && at <= f->end) {
			return at;
		}
	}
	return f->begin; /* a lambda's operator() */
}

kt_id builder_object_type(const struct builder *b, kt_id type)
{
	const struct kt_type *t = &b->types.v[type];
	return t->kind == KT_T_REFERENCE ? t->elem : type;
}

kt_id builder_fn(struct builder *b, CXCursor decl)
{
	switch (clang_getCursorKind(decl)) {
	case CXCursor_FunctionDecl:
	case CXCursor_CXXMethod:
	case CXCursor_Constructor:
	case CXCursor_Destructor:
	case CXCursor_ConversionFunction:
		break;
	default:
		return 0;
	}
	CXCursor key = clang_getCanonicalCursor(decl);
	kt_id id = cursor_get(&b->fn_by_hash, key);
	if (id) {
		return id;
	}
	CXCursor c = with_body(decl);
	struct kt_fn f = {0};
	f.name = readable_name(b, c);
	f.base = builder_text(b, clang_getCursorSpelling(c));
	unsigned a = cursor_attrs(c);
	bool anywhere = is_made_up(c); /* its members may be for host or device */
	f.kind = a & CURSOR_GLOBAL				  ? KT_FN_KERNEL
		 : a & CURSOR_DEVICE || b->cur_device || anywhere ? KT_FN_DEVICE
								  : KT_FN_HOST;
	CXString mangled = clang_Cursor_getMangling(c);
	f.symbol = builder_text(b, mangled);
	CXSourceRange r = clang_getCursorExtent(c);
	kt_id end_file;
	builder_place(b, clang_getRangeStart(r), &f.file, &f.begin);
	builder_place(b, clang_getRangeEnd(r), &end_file, &f.end);
	f.name_at = name_place(b, c, &f);
	bool in_text = f.end <= b->files.v[f.file].text.n && f.begin <= f.end;
	if (!in_text || end_file != f.file) {
		f.file = 0; /* a probe after the end of the text, or spelled in two files */
		f.begin = f.end = f.name_at = 0;
	}
	f.in_system_header = clang_Location_isInSystemHeader(clang_getCursorLocation(c));
	f.ret = builder_type(b, clang_getCursorResultType(c));
	enum CXCursorKind kind = clang_getCursorKind(c);
	if (f.kind == KT_FN_KERNEL) {
		struct str file = b->files.v[f.file].text;
		bound_of(&f, b, c, file, str_sub(file, f.begin, f.end));
	}
	f.is_method = kind != CXCursor_FunctionDecl && !clang_CXXMethod_isStatic(c);
	f.is_const = clang_CXXMethod_isConst(c);
	f.is_lambda = f.is_method && is_lambda_class(clang_getCursorSemanticParent(c));
	f.on_host = f.kind == KT_FN_DEVICE &&
		    (a & CURSOR_HOST || (!(a & CURSOR_DEVICE) && !is_of_device(b, &f)));
	array_push(&b->fns, f);
	array_push(&b->fn_cursor, c);
	array_push(&b->launches, (struct launches){0});
	array_push(&b->bodies.of, (struct str){0});
	id = (kt_id)(b->fns.n - 1);
	cursor_set(b, &b->fn_by_hash, key, id);
	fn_params(b, &f, c, id);
	b->fns.v[id].param = f.param;
	b->fns.v[id].params = f.params;
	if (f.is_method) {
		kt_id self = self_symbol(b, c, id, f.is_lambda ? "closure" : "*this");
		b->fns.v[id].self = self;
	}
	return id;
}

bool builder_is_type_ref(CXCursor c)
{
	switch (clang_getCursorKind(c)) {
	case CXCursor_TypeRef:
	case CXCursor_TemplateRef:
	case CXCursor_NamespaceRef:
	case CXCursor_OverloadedDeclRef:
		return true;
	default:
		return clang_isAttribute(clang_getCursorKind(c));
	}
}
