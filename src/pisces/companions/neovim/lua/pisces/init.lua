-- The companion of Neovim: runs `pisces ide serve`, which does the protocol, and talks to it in JSON lines.
local context = require("pisces.context")
local diff = require("pisces.diff")

local M = {}
local options = { command = { "pisces" }, workspace = context.folders }
local server -- { job, rest, env, port, clients, is_stopping } while it runs

local function notify(text, level)
  vim.notify("pisces: " .. text, level or vim.log.levels.INFO)
end

local function set_env(env)
  for name, value in pairs(env) do
    if server.env[name] == nil then
      server.env[name] = vim.env[name] or false -- of an editor around this one
    end
    vim.env[name] = value -- for every `:terminal` that is opened from now on
  end
end

local function send(message)
  if server then
    pcall(vim.fn.chansend, server.job, vim.json.encode(message) .. "\n")
  end
end

local events = {
  ready = function(told)
    server.port = told.port
    set_env(told.env)
  end,
  env = function(told)
    set_env(told.env)
  end,
  clients = function(told)
    server.clients = told.count
  end,
  openDiff = function(told)
    local ok, problem = pcall(diff.open, told.path, told.content)
    if not ok then
      send({ ["do"] = "abandon", path = told.path })
      local reason = tostring(problem)
      notify("the diff cannot be shown: " .. (reason:match("E%d+:[^\n]*") or reason), vim.log.levels.WARN)
    end
  end,
  closeDiff = function(told)
    send({ ["do"] = "closed", id = told.id, content = diff.close(told.path) })
  end,
  problem = function(told)
    if told.severity ~= "note" then
      notify(told.message, vim.log.levels.WARN)
    end
  end,
}

local function hear(line)
  local ok, told = pcall(vim.json.decode, line)
  local act = ok and type(told) == "table" and events[told.event]
  if act and server then
    act(told)
  end
end

-- The first item goes on with the line that the last call had left open.
local function heard(job, items)
  if not server or server.job ~= job then
    return
  end
  table.insert(server.rest, items[1])
  for at = 2, #items do
    local line = table.concat(server.rest)
    server.rest = { items[at] }
    hear(line)
  end
end

local function ended(job, code)
  if not server or server.job ~= job then
    return
  end
  local was_stopping, errors = server.is_stopping, server.errors
  for name, before in pairs(server.env) do
    vim.env[name] = before or nil
  end
  server = nil
  context.stop()
  diff.close_all()
  if not was_stopping then
    notify(("the companion ended with %d, :PiscesStart starts it again\n%s"):format(code, errors), vim.log.levels.WARN)
  end
end

-- An agent in a terminal looks for the process above its shell, or for the one above that.
local function argv()
  local words = vim.list_extend({}, options.command)
  vim.list_extend(words, { "ide", "serve", "--env", "--name", "neovim", "--display-name", "Neovim" })
  for _, folder in ipairs(options.workspace()) do
    vim.list_extend(words, { "--workspace", folder })
  end
  vim.list_extend(words, { "--pid", tostring(vim.fn.getpid()) })
  local above = (vim.uv or vim.loop).os_getppid()
  return above > 1 and vim.list_extend(words, { "--pid", tostring(above) }) or words
end

--- Takes `command`, the words that start pisces, and `workspace`, a function that lists the open folders.
function M.setup(given)
  options = vim.tbl_extend("force", options, given or {})
end

function M.start()
  if server then
    return
  end
  if vim.fn.executable(options.command[1]) == 0 then
    local hint = ': install pisces, or set it with require("pisces").setup({ command = { "/path/to/pisces" } })'
    return notify("cannot run `" .. options.command[1] .. "`" .. hint, vim.log.levels.WARN)
  end
  server = { rest = {}, env = {}, clients = 0, errors = "" }
  server.job = vim.fn.jobstart(argv(), {
    on_stdout = heard,
    on_exit = ended,
    on_stderr = function(_, lines)
      if server then
        server.errors = (server.errors .. table.concat(lines, "\n")):sub(-1000)
      end
    end,
  })
  vim.api.nvim_create_autocmd("VimLeavePre", { once = true, callback = M.stop })
  diff.start(send)
  context.start(send, options.workspace)
end

--- Returns when the companion and its file are gone.
function M.stop()
  if server then
    local job = server.job
    server.is_stopping = true
    send({ ["do"] = "stop" })
    pcall(vim.fn.chanclose, job, "stdin")
    if vim.fn.jobwait({ job }, 2000)[1] == -1 then
      vim.fn.jobstop(job)
    end
    ended(job, 0)
  end
end

function M.status()
  if not server or not server.port then
    return notify(server and "the companion is starting" or "the companion is stopped, :PiscesStart starts it")
  end
  notify(("port %d, %d agents connected, %d diffs wait"):format(server.port, server.clients, diff.count()))
end

--- How many agents are connected, for a status line.
function M.clients()
  return server and server.clients or 0
end

M.accept = diff.accept
M.reject = diff.reject

return M
