-- unphi's findings as diagnostics of HIP buffers, of the text as it is in the editor, saved or not. What keeps unphi
-- from looking, such as an error in the source, is a diagnostic too: at its place, or in the first line.
--
-- Put it into a folder "lua" of the runtime path (~/.config/nvim/lua/unphi.lua), and into init.lua:
--   require("unphi").setup({ args = { "--target", "gfx942" } })
-- With { "-p", "build" } among args the flags come from build/compile_commands.json.
local M = { command = "unphi", args = {} }

local namespace = vim.api.nvim_create_namespace("unphi")
local severity = {
  error = vim.diagnostic.severity.ERROR,
  warning = vim.diagnostic.severity.WARN,
  note = vim.diagnostic.severity.INFO,
}

local function same_file(buffer, file)
  return type(file) == "string" and vim.fn.fnamemodify(file, ":p") == vim.api.nvim_buf_get_name(buffer)
end

local function error_diagnostic(buffer, e)
  local here = same_file(buffer, e.file) and type(e.line) == "number"
  local message = e.message
  if type(e.file) == "string" and not same_file(buffer, e.file) then
    message = e.file .. (type(e.line) == "number" and ":" .. e.line or "") .. ": " .. message
  end
  return {
    lnum = here and e.line - 1 or 0,
    col = here and type(e.column) == "number" and e.column - 1 or 0,
    severity = severity[e.level],
    source = "unphi",
    message = message,
  }
end

local function show(buffer, text)
  local ok, result = pcall(vim.fn.json_decode, text)
  local found = {}
  if not ok then
    result = { errors = { { level = "error", message = "unphi printed no findings; see what it says in a terminal" } } }
  end
  for _, e in ipairs(result.errors or {}) do
    table.insert(found, error_diagnostic(buffer, e))
  end
  for _, f in ipairs(result.findings or {}) do
    if same_file(buffer, f.file) and type(f.line) == "number" then
      table.insert(found, {
        lnum = f.line - 1,
        col = f.column - 1,
        severity = severity[f.level],
        source = "unphi",
        code = f.rule,
        message = f.message,
      })
    end
  end
  vim.diagnostic.set(namespace, buffer, found)
end

function M.lint(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  local name = vim.api.nvim_buf_get_name(buffer)
  local command = { M.command, "lint", "--quiet", "--format", "json", "--stdin-filename", name }
  local job = vim.fn.jobstart(vim.list_extend(command, M.args), {
    stdout_buffered = true,
    on_stdout = function(_, lines)
      show(buffer, table.concat(lines, "\n"))
    end,
  })
  vim.fn.chansend(job, table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n")
  vim.fn.chanclose(job, "stdin")
  return job
end

function M.setup(options)
  M.command = options.command or M.command
  M.args = options.args or M.args
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufWritePost", "InsertLeave" }, {
    pattern = { "*.hip", "*.hip.cpp" },
    callback = function(event)
      M.lint(event.buf)
    end,
  })
end

return M
