# find_package(unphi REQUIRED), CMake 3.20 or newer; doc/guide/cmake.md shows its use.
#
#   unphi_add_lint(TARGET [ALL] [SOURCES FILE...] [OPTIONS OPTION...])
#     Lints the HIP sources of TARGET, each by a command of its own, again when the file, a header,
#     .unphi.yaml or the flags have changed. SOURCES: these, where the names and the compiler do not
#     tell which are HIP. OPTIONS: of unphi lint.
#   unphi_add_budget(TARGET FILE [ALL] [OPTIONS OPTION...])
#     Compares the kernels in TARGET's objects with the budgets of FILE, again when one has changed.
#     Compiles nothing, and leaves the figures in unphi/TARGET/budget.json of the build directory.
#     OPTIONS: of unphi measure.
#
# They add TARGET-lint and TARGET-budget, which the target unphi builds, and with ALL the default
# build. Call them after set_source_files_properties, in the directory of TARGET.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.30)

get_filename_component(_unphi_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(UNPHI_EXECUTABLE unphi HINTS "${_unphi_prefix}/bin")
mark_as_advanced(UNPHI_EXECUTABLE)
unset(_unphi_prefix)
if(NOT UNPHI_EXECUTABLE)
  set(unphi_FOUND FALSE)
  set(unphi_NOT_FOUND_MESSAGE "the program unphi is not in the path")
endif()

# A target for what was checked, part of unphi, and of all where asked for.
function(_unphi_add_check name all)
  set(in_all "")
  if(all)
    set(in_all ALL)
  endif()
  add_custom_target(${name} ${in_all} DEPENDS ${ARGN})
  if(NOT TARGET unphi)
    add_custom_target(unphi)
  endif()
  add_dependencies(unphi ${name})
endfunction()

# The sources of a target that the compiler takes as HIP.
function(_unphi_hip_sources out target)
  get_target_property(sources ${target} SOURCES)
  get_filename_component(compiler "${CMAKE_CXX_COMPILER}" NAME)
  get_target_property(options ${target} COMPILE_OPTIONS)
  set(found "")
  foreach(source IN LISTS sources)
    get_source_file_property(language "${source}" LANGUAGE)
    get_source_file_property(own "${source}" COMPILE_OPTIONS)
    set(cxx FALSE)
    if(language STREQUAL "CXX" OR source MATCHES "\\.(cc|cpp|cxx|c\\+\\+|C)$")
      set(cxx TRUE)
    endif()
    if(source MATCHES "^\\$<")
      continue() # known when it is too late
    elseif(language STREQUAL "HIP" OR source MATCHES "\\.hip(\\.[a-z]+)?$"
        OR (cxx AND (compiler MATCHES "hipcc" OR "${options};${own}" MATCHES "-x;? ?hip")))
      list(APPEND found "${source}")
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Files that are written anew when the target's flags change. compile_commands.json, in which they
# stand as they are, is written by each run of CMake.
function(_unphi_flags out target)
  set(content "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_FLAGS} ${CMAKE_HIP_COMPILER} ${CMAKE_HIP_FLAGS}\n")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(APPEND content "${CMAKE_CXX_FLAGS_${type}} ${CMAKE_HIP_FLAGS_${type}}\n")
  foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_DEFINITIONS COMPILE_FLAGS INCLUDE_DIRECTORIES
      HIP_ARCHITECTURES CXX_STANDARD HIP_STANDARD)
    string(APPEND content "$<TARGET_PROPERTY:${target},${property}>\n")
  endforeach()
  foreach(source IN LISTS ARGN)
    foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_DEFINITIONS COMPILE_FLAGS INCLUDE_DIRECTORIES)
      get_source_file_property(value "${source}" ${property})
      string(APPEND content "${value}\n")
    endforeach()
  endforeach()
  set(file "${CMAKE_CURRENT_BINARY_DIR}/unphi/${target}/flags-$<CONFIG>")
  file(GENERATE OUTPUT "${file}-$<COMPILE_LANGUAGE>" CONTENT "${content}" TARGET ${target})
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(files "")
  foreach(language IN ITEMS CXX HIP)
    if(language IN_LIST languages)
      list(APPEND files "${file}-${language}")
    endif()
  endforeach()
  set(${out} "${files}" PARENT_SCOPE)
endfunction()

function(unphi_add_lint target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALL" "" "SOURCES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "unphi_add_lint: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(sources "${arg_SOURCES}")
  if(NOT sources)
    _unphi_hip_sources(sources ${target})
  endif()
  if(NOT sources)
    message(FATAL_ERROR "unphi_add_lint: ${target} has no HIP sources; name them after SOURCES")
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
  _unphi_flags(flags ${target} ${sources})
  set(stamps "")
  foreach(source IN LISTS sources)
    get_source_file_property(path "${source}" LOCATION)
    file(RELATIVE_PATH name "${CMAKE_CURRENT_SOURCE_DIR}" "${path}")
    string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" name "${name}")
    set(stamp "${CMAKE_CURRENT_BINARY_DIR}/unphi/${target}/${name}.lint")
    add_custom_command(OUTPUT "${stamp}" DEPFILE "${stamp}.d" VERBATIM
      DEPENDS "${path}" "${UNPHI_EXECUTABLE}" ${flags}
      COMMAND "${UNPHI_EXECUTABLE}" lint "${path}" -p "${CMAKE_BINARY_DIR}" -j 1 -q
        --stamp "${stamp}" ${arg_OPTIONS}
      WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
      COMMENT "Linting ${source}")
    list(APPEND stamps "${stamp}")
  endforeach()
  _unphi_add_check(${target}-lint "${arg_ALL}" ${stamps})
endfunction()

function(unphi_add_budget target file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "ALL" "" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "unphi_add_budget: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  get_filename_component(file "${file}" ABSOLUTE)
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/unphi/${target}/budget")
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/unphi/${target}") # where Make touches a file
  add_custom_command(OUTPUT "${stamp}" VERBATIM COMMAND_EXPAND_LISTS
    DEPENDS "$<TARGET_OBJECTS:${target}>" "${file}" "${UNPHI_EXECUTABLE}"
    COMMAND "${UNPHI_EXECUTABLE}" measure "$<TARGET_OBJECTS:${target}>" --check -q
      --config "${file}" --format json --report "${stamp}.json" ${arg_OPTIONS}
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    COMMENT "Checking the budgets of ${target}")
  _unphi_add_check(${target}-budget "${arg_ALL}" "${stamp}")
  add_dependencies(${target}-budget ${target})
endfunction()

cmake_policy(POP)
