-- Commands, and the companion's start once somebody looks at this Neovim: not in scripts, not in a Neovim inside another's terminal.
if vim.g.loaded_pisces then
  return
end
vim.g.loaded_pisces = true

local function command(name, act, about)
  vim.api.nvim_create_user_command(name, function()
    require("pisces")[act]()
  end, { desc = about })
end

command("PiscesAccept", "accept", "Take the change that an agent proposes, as it is now in the right window")
command("PiscesReject", "reject", "Refuse the change that an agent proposes")
command("PiscesStart", "start", "Start the companion for agents in terminals")
command("PiscesStop", "stop", "Stop the companion")
command("PiscesStatus", "status", "Say whether the companion runs, and for how many agents")

local function start()
  if vim.g.pisces_autostart ~= false and not vim.env.NVIM then
    require("pisces").start()
  end
end

if #vim.api.nvim_list_uis() > 0 and vim.v.vim_did_enter == 1 then
  start()
else
  vim.api.nvim_create_autocmd("UIEnter", { once = true, callback = start })
end
