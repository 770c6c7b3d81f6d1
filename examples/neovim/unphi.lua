-- unphi server for HIP buffers, in init.lua. Neovim 0.7 starts a client for each buffer, later ones share it.
local start = vim.lsp.start or function(config) vim.lsp.buf_attach_client(0, vim.lsp.start_client(config)) end
vim.api.nvim_create_autocmd("BufReadPost", { pattern = { "*.hip", "*.hip.cpp" }, callback = function()
  start({ name = "unphi", cmd = vim.list_extend({ "unphi", "server" }, vim.g.unphi_arguments or {}), root_dir = vim.fn.getcwd() })
end })
