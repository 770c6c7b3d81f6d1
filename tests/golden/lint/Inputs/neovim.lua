-- nvim -l: what Neovim's own client shows of a HIP buffer that unphi server looks at. A line is added, and not saved.
local function wait(what, done)
  if not vim.wait(60000, done, 20) then
    io.stdout:write("no " .. what .. "\n")
    vim.cmd("cquit")
  end
end

local function show()
  for _, d in ipairs(vim.diagnostic.get(0)) do
    io.stdout:write(("%d:%d-%d %d %s\n"):format(d.lnum + 1, d.col + 1, d.end_col, d.severity, d.message))
  end
end

local function ask(method, more)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, "utf-16"), more or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 60000) or {}) do
    return answer.result
  end
end

wait("diagnostics", function() return #vim.diagnostic.get(0) == 2 end)
vim.cmd("normal ggO// ü")
wait("diagnostics of the changed text", function()
  local first = vim.diagnostic.get(0)[1]
  return first and first.lnum == 4
end)
show()
vim.fn.search("acc\\[64\\]")
io.stdout:write("hover: " .. ask("textDocument/hover").contents.value .. "\n")
for _, lens in ipairs(ask("textDocument/codeLens")) do
  io.stdout:write(("lens: %d %s\n"):format(lens.range.start.line + 1, lens.command.title))
end
local found = vim.diagnostic.get(0)[1].user_data.lsp
local at = { line = 4, character = 1 }
local diagnostic = { range = { start = at, ["end"] = at }, code = found.code, source = "unphi", message = "" }
for _, action in ipairs(ask("textDocument/codeAction", { range = diagnostic.range, context = { diagnostics = { diagnostic } } })) do
  io.stdout:write(("action: %s\n"):format(action.title))
  if action.edit then
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
  end
end
io.stdout:write("line: " .. vim.fn.getline(5) .. "\n")
vim.cmd("qall!")
