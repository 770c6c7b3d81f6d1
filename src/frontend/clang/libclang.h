#pragma once
/*
 * libclang's functions, looked up at the first parse. Loading libclang and LLVM costs more than a
 * whole run without a parse (help, a cached launch), so the program is not linked with it.
 *
 * Code that includes this header calls the functions as if they were linked: each name below is a
 * macro for the loaded function. A name that is missing here does not link. Internal to the
 * frontend.
 */
#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/Index.h>
#include <stdbool.h>

#include "base/arena.h"

#define LIBCLANG_FUNCTIONS(X)                                                                      \
	X(clang_CXXConstructor_isDefaultConstructor)                                               \
	X(clang_CXXMethod_isCopyAssignmentOperator)                                                \
	X(clang_CXXMethod_isDefaulted)                                                             \
	X(clang_CXXMethod_isDeleted)                                                               \
	X(clang_CXXMethod_isMoveAssignmentOperator)                                                \
	X(clang_CXXMethod_isVirtual)                                                               \
	X(clang_getCXXAccessSpecifier)                                                             \
	X(clang_Type_getNumTemplateArguments)                                                      \
	X(clang_Type_getTemplateArgumentAsType)                                                    \
	X(clang_CXXConstructor_isCopyConstructor)                                                  \
	X(clang_CXXConstructor_isMoveConstructor)                                                  \
	X(clang_CXXField_isMutable)                                                                \
	X(clang_CXXMethod_isConst)                                                                 \
	X(clang_CXXMethod_isStatic)                                                                \
	X(clang_CompilationDatabase_dispose)                                                       \
	X(clang_CompilationDatabase_fromDirectory)                                                 \
	X(clang_CompilationDatabase_getAllCompileCommands)                                         \
	X(clang_CompileCommand_getArg)                                                             \
	X(clang_CompileCommand_getDirectory)                                                       \
	X(clang_CompileCommand_getFilename)                                                        \
	X(clang_CompileCommand_getNumArgs)                                                         \
	X(clang_CompileCommands_dispose)                                                           \
	X(clang_CompileCommands_getCommand)                                                        \
	X(clang_CompileCommands_getSize)                                                           \
	X(clang_Cursor_Evaluate)                                                                   \
	X(clang_Cursor_getArgument)                                                                \
	X(clang_Cursor_getMangling)                                                                \
	X(clang_Cursor_getNumArguments)                                                            \
	X(clang_Cursor_getNumTemplateArguments)                                                    \
	X(clang_Cursor_getStorageClass)                                                            \
	X(clang_Cursor_getTemplateArgumentKind)                                                    \
	X(clang_Cursor_getTemplateArgumentType)                                                    \
	X(clang_Cursor_getTemplateArgumentValue)                                                   \
	X(clang_Cursor_getVarDeclInitializer)                                                      \
	X(clang_Cursor_getTranslationUnit)                                                         \
	X(clang_Cursor_getOffsetOfField)                                                           \
	X(clang_Cursor_isAnonymousRecordDecl)                                                      \
	X(clang_Cursor_isBitField)                                                                 \
	X(clang_Cursor_isMacroBuiltin)                                                             \
	X(clang_Cursor_isMacroFunctionLike)                                                        \
	X(clang_Cursor_isNull)                                                                     \
	X(clang_EvalResult_getAsDouble)                                                            \
	X(clang_EvalResult_dispose)                                                                \
	X(clang_EvalResult_getAsLongLong)                                                          \
	X(clang_EvalResult_getAsUnsigned)                                                          \
	X(clang_EvalResult_getKind)                                                                \
	X(clang_EvalResult_isUnsignedInt)                                                          \
	X(clang_File_isEqual)                                                                      \
	X(clang_Location_isFromMainFile)                                                           \
	X(clang_Location_isInSystemHeader)                                                         \
	X(clang_Type_getAlignOf)                                                                   \
	X(clang_Type_getOffsetOf)                                                                  \
	X(clang_Type_getSizeOf)                                                                    \
	X(clang_Type_visitFields)                                                                  \
	X(clang_getCursorTLSKind)                                                                  \
	X(clang_createIndex)                                                                       \
	X(clang_disposeDiagnostic)                                                                 \
	X(clang_disposeIndex)                                                                      \
	X(clang_disposeString)                                                                     \
	X(clang_disposeTranslationUnit)                                                            \
	X(clang_equalCursors)                                                                      \
	X(clang_equalLocations)                                                                    \
	X(clang_equalTypes)                                                                        \
	X(clang_disposeSourceRangeList)                                                            \
	X(clang_getArgType)                                                                        \
	X(clang_getAllSkippedRanges)                                                               \
	X(clang_getChildDiagnostics)                                                               \
	X(clang_getDiagnosticInSet)                                                                \
	X(clang_getNumDiagnosticsInSet)                                                            \
	X(clang_getArrayElementType)                                                               \
	X(clang_getArraySize)                                                                      \
	X(clang_getCString)                                                                        \
	X(clang_getCanonicalCursor)                                                                \
	X(clang_getCanonicalType)                                                                  \
	X(clang_getClangVersion)                                                                   \
	X(clang_getCursorBinaryOperatorKind)                                                       \
	X(clang_getCursorDefinition)                                                               \
	X(clang_getCursorDisplayName)                                                              \
	X(clang_getCursorExtent)                                                                   \
	X(clang_getBinaryOperatorKindSpelling)                                                     \
	X(clang_getCursorKind)                                                                     \
	X(clang_getCursorKindSpelling)                                                             \
	X(clang_getTypeKindSpelling)                                                               \
	X(clang_getUnaryOperatorKindSpelling)                                                      \
	X(clang_getCursorLocation)                                                                 \
	X(clang_getCursorPrettyPrinted)                                                            \
	X(clang_getCursorPrintingPolicy)                                                           \
	X(clang_PrintingPolicy_setProperty)                                                        \
	X(clang_PrintingPolicy_dispose)                                                            \
	X(clang_getCursorReferenced)                                                               \
	X(clang_getCursorResultType)                                                               \
	X(clang_getCursorSemanticParent)                                                           \
	X(clang_getCursorSpelling)                                                                 \
	X(clang_getCursorType)                                                                     \
	X(clang_getCursorUnaryOperatorKind)                                                        \
	X(clang_getDiagnostic)                                                                     \
	X(clang_getDiagnosticLocation)                                                             \
	X(clang_getDiagnosticSeverity)                                                             \
	X(clang_getDiagnosticSpelling)                                                             \
	X(clang_getElementType)                                                                    \
	X(clang_getEnumConstantDeclValue)                                                          \
	X(clang_getExpansionLocation)                                                              \
	X(clang_getFile)                                                                           \
	X(clang_getFileContents)                                                                   \
	X(clang_getFileLocation)                                                                   \
	X(clang_getFileName)                                                                       \
	X(clang_getIncludedFile)                                                                   \
	X(clang_getInclusions)                                                                     \
	X(clang_getLocationForOffset)                                                              \
	X(clang_getNullCursor)                                                                     \
	X(clang_getNumArgTypes)                                                                    \
	X(clang_getNumDiagnostics)                                                                 \
	X(clang_getNumElements)                                                                    \
	X(clang_getPointeeType)                                                                    \
	X(clang_getRangeEnd)                                                                       \
	X(clang_getRangeStart)                                                                     \
	X(clang_getSpecializedCursorTemplate)                                                      \
	X(clang_getSpellingLocation)                                                               \
	X(clang_getTranslationUnitCursor)                                                          \
	X(clang_getTypeDeclaration)                                                                \
	X(clang_getTypeSpelling)                                                                   \
	X(clang_getUnqualifiedType)                                                                \
	X(clang_hashCursor)                                                                        \
	X(clang_IndexAction_create)                                                                \
	X(clang_IndexAction_dispose)                                                               \
	X(clang_indexTranslationUnit)                                                              \
	X(clang_isAttribute)                                                                       \
	X(clang_isConstQualifiedType)                                                              \
	X(clang_isCursorDefinition)                                                                \
	X(clang_isDeclaration)                                                                     \
	X(clang_isInvalidDeclaration)                                                              \
	X(clang_isExpression)                                                                      \
	X(clang_isPODType)                                                                         \
	X(clang_isRestrictQualifiedType)                                                           \
	X(clang_isVolatileQualifiedType)                                                           \
	X(clang_parseTranslationUnit2FullArgv)                                                     \
	X(clang_saveTranslationUnit)                                                               \
	X(clang_visitChildren)

struct libclang {
#define X(name) __typeof__(&(name)) name;
	LIBCLANG_FUNCTIONS(X)
#undef X
};

/* Set once by libclang_load; the library is never unloaded. */
extern struct libclang libclang;

/* 0, also if it is loaded already; FAIL_USAGE after a message. */
int libclang_load(void);
/* Call it before a pause: gives the unmodified code pages of libclang and LLVM back to the system,
 * which loads them again at need. */
void libclang_rest(void);
/* Its major version, such as 19; it must be loaded. */
unsigned libclang_major(void);
/* The library's file, once it is loaded; NULL if unknown. */
const char *libclang_path(void);
/* The first argument for a parse: a program name. The driver looks relative to it for the headers
 * that it searches before those of the standard library (cuda_wrappers: device forms of <new>,
 * <algorithm>). The program need not exist. NULL: the library's headers are not installed. */
const char *libclang_driver(struct arena *a);
/* Does it belong to the compiler of frontend_prefer? *compiler: that compiler, or NULL. */
bool libclang_is_own(const char **compiler);
/* The major version of the compiler of frontend_prefer or, if unknown, of the library, which must
 * be loaded. */
unsigned libclang_compiler_major(void);
/* __AMDGCN_WAVEFRONT_SIZE is predefined up to clang 21, and HIP's headers up to 6.4 use it. Does
 * the compiler predefine it, but not the library? */
bool libclang_lacks_wave_size(void);

#ifndef LIBCLANG_PLAIN_NAMES
#define clang_CXXConstructor_isDefaultConstructor                                                  \
	(*libclang.clang_CXXConstructor_isDefaultConstructor)
#define clang_CXXMethod_isCopyAssignmentOperator                                                   \
	(*libclang.clang_CXXMethod_isCopyAssignmentOperator)
#define clang_CXXMethod_isDefaulted (*libclang.clang_CXXMethod_isDefaulted)
#define clang_CXXMethod_isDeleted (*libclang.clang_CXXMethod_isDeleted)
#define clang_CXXMethod_isMoveAssignmentOperator                                                   \
	(*libclang.clang_CXXMethod_isMoveAssignmentOperator)
#define clang_CXXMethod_isVirtual (*libclang.clang_CXXMethod_isVirtual)
#define clang_getCXXAccessSpecifier (*libclang.clang_getCXXAccessSpecifier)
#define clang_Type_getNumTemplateArguments (*libclang.clang_Type_getNumTemplateArguments)
#define clang_Type_getTemplateArgumentAsType (*libclang.clang_Type_getTemplateArgumentAsType)
#define clang_CXXConstructor_isCopyConstructor (*libclang.clang_CXXConstructor_isCopyConstructor)
#define clang_CXXConstructor_isMoveConstructor (*libclang.clang_CXXConstructor_isMoveConstructor)
#define clang_CXXField_isMutable (*libclang.clang_CXXField_isMutable)
#define clang_CXXMethod_isConst (*libclang.clang_CXXMethod_isConst)
#define clang_CXXMethod_isStatic (*libclang.clang_CXXMethod_isStatic)
#define clang_CompilationDatabase_dispose (*libclang.clang_CompilationDatabase_dispose)
#define clang_CompilationDatabase_fromDirectory (*libclang.clang_CompilationDatabase_fromDirectory)
#define clang_CompilationDatabase_getAllCompileCommands                                            \
	(*libclang.clang_CompilationDatabase_getAllCompileCommands)
#define clang_CompileCommand_getArg (*libclang.clang_CompileCommand_getArg)
#define clang_CompileCommand_getDirectory (*libclang.clang_CompileCommand_getDirectory)
#define clang_CompileCommand_getFilename (*libclang.clang_CompileCommand_getFilename)
#define clang_CompileCommand_getNumArgs (*libclang.clang_CompileCommand_getNumArgs)
#define clang_CompileCommands_dispose (*libclang.clang_CompileCommands_dispose)
#define clang_CompileCommands_getCommand (*libclang.clang_CompileCommands_getCommand)
#define clang_CompileCommands_getSize (*libclang.clang_CompileCommands_getSize)
#define clang_Cursor_Evaluate (*libclang.clang_Cursor_Evaluate)
#define clang_Cursor_getArgument (*libclang.clang_Cursor_getArgument)
#define clang_Cursor_getMangling (*libclang.clang_Cursor_getMangling)
#define clang_Cursor_getNumArguments (*libclang.clang_Cursor_getNumArguments)
#define clang_Cursor_getNumTemplateArguments (*libclang.clang_Cursor_getNumTemplateArguments)
#define clang_Cursor_getStorageClass (*libclang.clang_Cursor_getStorageClass)
#define clang_Cursor_getTemplateArgumentKind (*libclang.clang_Cursor_getTemplateArgumentKind)
#define clang_Cursor_getTemplateArgumentType (*libclang.clang_Cursor_getTemplateArgumentType)
#define clang_Cursor_getTemplateArgumentValue (*libclang.clang_Cursor_getTemplateArgumentValue)
#define clang_Cursor_getTranslationUnit (*libclang.clang_Cursor_getTranslationUnit)
#define clang_Cursor_getVarDeclInitializer (*libclang.clang_Cursor_getVarDeclInitializer)
#define clang_Cursor_getOffsetOfField (*libclang.clang_Cursor_getOffsetOfField)
#define clang_Cursor_isAnonymousRecordDecl (*libclang.clang_Cursor_isAnonymousRecordDecl)
#define clang_Cursor_isBitField (*libclang.clang_Cursor_isBitField)
#define clang_Cursor_isMacroBuiltin (*libclang.clang_Cursor_isMacroBuiltin)
#define clang_Cursor_isMacroFunctionLike (*libclang.clang_Cursor_isMacroFunctionLike)
#define clang_Cursor_isNull (*libclang.clang_Cursor_isNull)
#define clang_EvalResult_getAsDouble (*libclang.clang_EvalResult_getAsDouble)
#define clang_EvalResult_dispose (*libclang.clang_EvalResult_dispose)
#define clang_EvalResult_getAsLongLong (*libclang.clang_EvalResult_getAsLongLong)
#define clang_EvalResult_getAsUnsigned (*libclang.clang_EvalResult_getAsUnsigned)
#define clang_EvalResult_getKind (*libclang.clang_EvalResult_getKind)
#define clang_EvalResult_isUnsignedInt (*libclang.clang_EvalResult_isUnsignedInt)
#define clang_File_isEqual (*libclang.clang_File_isEqual)
#define clang_Location_isFromMainFile (*libclang.clang_Location_isFromMainFile)
#define clang_Location_isInSystemHeader (*libclang.clang_Location_isInSystemHeader)
#define clang_Type_getAlignOf (*libclang.clang_Type_getAlignOf)
#define clang_Type_getOffsetOf (*libclang.clang_Type_getOffsetOf)
#define clang_Type_getSizeOf (*libclang.clang_Type_getSizeOf)
#define clang_getCursorTLSKind (*libclang.clang_getCursorTLSKind)
#define clang_Type_visitFields (*libclang.clang_Type_visitFields)
#define clang_createIndex (*libclang.clang_createIndex)
#define clang_disposeDiagnostic (*libclang.clang_disposeDiagnostic)
#define clang_disposeIndex (*libclang.clang_disposeIndex)
#define clang_disposeString (*libclang.clang_disposeString)
#define clang_disposeTranslationUnit (*libclang.clang_disposeTranslationUnit)
#define clang_equalCursors (*libclang.clang_equalCursors)
#define clang_equalLocations (*libclang.clang_equalLocations)
#define clang_equalTypes (*libclang.clang_equalTypes)
#define clang_disposeSourceRangeList (*libclang.clang_disposeSourceRangeList)
#define clang_getArgType (*libclang.clang_getArgType)
#define clang_getAllSkippedRanges (*libclang.clang_getAllSkippedRanges)
#define clang_getChildDiagnostics (*libclang.clang_getChildDiagnostics)
#define clang_getDiagnosticInSet (*libclang.clang_getDiagnosticInSet)
#define clang_getNumDiagnosticsInSet (*libclang.clang_getNumDiagnosticsInSet)
#define clang_getArrayElementType (*libclang.clang_getArrayElementType)
#define clang_getArraySize (*libclang.clang_getArraySize)
#define clang_getCString (*libclang.clang_getCString)
#define clang_getCanonicalCursor (*libclang.clang_getCanonicalCursor)
#define clang_getCanonicalType (*libclang.clang_getCanonicalType)
#define clang_getClangVersion (*libclang.clang_getClangVersion)
#define clang_getCursorBinaryOperatorKind (*libclang.clang_getCursorBinaryOperatorKind)
#define clang_getCursorDefinition (*libclang.clang_getCursorDefinition)
#define clang_getCursorDisplayName (*libclang.clang_getCursorDisplayName)
#define clang_getCursorExtent (*libclang.clang_getCursorExtent)
#define clang_getBinaryOperatorKindSpelling (*libclang.clang_getBinaryOperatorKindSpelling)
#define clang_getCursorKind (*libclang.clang_getCursorKind)
#define clang_getCursorKindSpelling (*libclang.clang_getCursorKindSpelling)
#define clang_getTypeKindSpelling (*libclang.clang_getTypeKindSpelling)
#define clang_getUnaryOperatorKindSpelling (*libclang.clang_getUnaryOperatorKindSpelling)
#define clang_getCursorLocation (*libclang.clang_getCursorLocation)
#define clang_getCursorPrettyPrinted (*libclang.clang_getCursorPrettyPrinted)
#define clang_getCursorPrintingPolicy (*libclang.clang_getCursorPrintingPolicy)
#define clang_PrintingPolicy_setProperty (*libclang.clang_PrintingPolicy_setProperty)
#define clang_PrintingPolicy_dispose (*libclang.clang_PrintingPolicy_dispose)
#define clang_getCursorReferenced (*libclang.clang_getCursorReferenced)
#define clang_getCursorResultType (*libclang.clang_getCursorResultType)
#define clang_getCursorSemanticParent (*libclang.clang_getCursorSemanticParent)
#define clang_getCursorSpelling (*libclang.clang_getCursorSpelling)
#define clang_getCursorType (*libclang.clang_getCursorType)
#define clang_getCursorUnaryOperatorKind (*libclang.clang_getCursorUnaryOperatorKind)
#define clang_getDiagnostic (*libclang.clang_getDiagnostic)
#define clang_getDiagnosticLocation (*libclang.clang_getDiagnosticLocation)
#define clang_getDiagnosticSeverity (*libclang.clang_getDiagnosticSeverity)
#define clang_getDiagnosticSpelling (*libclang.clang_getDiagnosticSpelling)
#define clang_getEnumConstantDeclValue (*libclang.clang_getEnumConstantDeclValue)
#define clang_getElementType (*libclang.clang_getElementType)
#define clang_getExpansionLocation (*libclang.clang_getExpansionLocation)
#define clang_getFile (*libclang.clang_getFile)
#define clang_getFileContents (*libclang.clang_getFileContents)
#define clang_getFileLocation (*libclang.clang_getFileLocation)
#define clang_getFileName (*libclang.clang_getFileName)
#define clang_getIncludedFile (*libclang.clang_getIncludedFile)
#define clang_getInclusions (*libclang.clang_getInclusions)
#define clang_getLocationForOffset (*libclang.clang_getLocationForOffset)
#define clang_getNullCursor (*libclang.clang_getNullCursor)
#define clang_getNumArgTypes (*libclang.clang_getNumArgTypes)
#define clang_getNumDiagnostics (*libclang.clang_getNumDiagnostics)
#define clang_getNumElements (*libclang.clang_getNumElements)
#define clang_getPointeeType (*libclang.clang_getPointeeType)
#define clang_getRangeEnd (*libclang.clang_getRangeEnd)
#define clang_getRangeStart (*libclang.clang_getRangeStart)
#define clang_getSpecializedCursorTemplate (*libclang.clang_getSpecializedCursorTemplate)
#define clang_getSpellingLocation (*libclang.clang_getSpellingLocation)
#define clang_getTranslationUnitCursor (*libclang.clang_getTranslationUnitCursor)
#define clang_getTypeDeclaration (*libclang.clang_getTypeDeclaration)
#define clang_getTypeSpelling (*libclang.clang_getTypeSpelling)
#define clang_getUnqualifiedType (*libclang.clang_getUnqualifiedType)
#define clang_hashCursor (*libclang.clang_hashCursor)
#define clang_IndexAction_create (*libclang.clang_IndexAction_create)
#define clang_IndexAction_dispose (*libclang.clang_IndexAction_dispose)
#define clang_indexTranslationUnit (*libclang.clang_indexTranslationUnit)
#define clang_isAttribute (*libclang.clang_isAttribute)
#define clang_isConstQualifiedType (*libclang.clang_isConstQualifiedType)
#define clang_isCursorDefinition (*libclang.clang_isCursorDefinition)
#define clang_isDeclaration (*libclang.clang_isDeclaration)
#define clang_isExpression (*libclang.clang_isExpression)
#define clang_isInvalidDeclaration (*libclang.clang_isInvalidDeclaration)
#define clang_isPODType (*libclang.clang_isPODType)
#define clang_isRestrictQualifiedType (*libclang.clang_isRestrictQualifiedType)
#define clang_isVolatileQualifiedType (*libclang.clang_isVolatileQualifiedType)
#define clang_parseTranslationUnit2FullArgv (*libclang.clang_parseTranslationUnit2FullArgv)
#define clang_saveTranslationUnit (*libclang.clang_saveTranslationUnit)
#define clang_visitChildren (*libclang.clang_visitChildren)
#endif
