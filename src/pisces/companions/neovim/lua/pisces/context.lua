-- What the user looks at: tells which files are open, which one has the focus, where the cursor is and what is selected.
-- Everything is told as it happens; `pisces ide serve` waits for the dust to settle and drops what is not on disk.
local M = {}
local MOST = 16384 -- characters of a selection
local LEFT_WITHIN = 1000 -- milliseconds in which the cursor may go from a selection to the agent's terminal
local group

--- The folders that Neovim works in: of all tabs and windows.
function M.folders()
  local found, seen = {}, {}
  local function add(folder)
    if not seen[folder] then
      seen[folder] = true
      table.insert(found, folder)
    end
  end
  add(vim.fn.getcwd(-1, -1))
  for tab = 1, vim.fn.tabpagenr("$") do
    for window = 1, vim.fn.tabpagewinnr(tab, "$") do
      add(vim.fn.getcwd(window, tab))
    end
  end
  return found
end

--- The path of a file that is open: loaded, and in the user's list of buffers. Else nil.
local function path_of(buffer)
  local name, its = vim.api.nvim_buf_get_name(buffer), vim.bo[buffer]
  local is_open = its.buftype == "" and its.buflisted and vim.api.nvim_buf_is_loaded(buffer)
  return is_open and name ~= "" and not name:find("^%a[%w+.-]+://") and name or nil
end

--- Only text may be told; a file in another encoding is read as Latin-1.
function M.as_text(bytes)
  local is_text = pcall(vim.fn.json_encode, (bytes:gsub("%z", "")))
  return is_text and bytes or vim.fn.iconv(bytes, "latin1", "utf-8")
end

--- The text of the visual selection, at most what an agent is told; nil without one. Columns are characters.
local function selected()
  local mode = vim.api.nvim_get_mode().mode:sub(1, 1)
  if not mode:find("[vV\22]") then
    return nil
  end
  local from, to = vim.fn.getcharpos("v"), vim.fn.getcharpos(".")
  if from[2] > to[2] or (from[2] == to[2] and from[3] > to[3]) then
    from, to = to, from
  end
  local first, last = from[3], to[3] - (vim.o.selection == "exclusive" and 1 or 0)
  if mode == "\22" then
    first, last = math.min(from[3], to[3]), math.max(from[3], to[3])
  end
  local lines = vim.api.nvim_buf_get_lines(0, from[2] - 1, math.min(to[2], from[2] + MOST), false)
  for at, line in ipairs(mode == "V" and {} or lines) do
    local left = (mode == "\22" or at == 1) and first or 1
    local right = (mode == "\22" or at == to[2] - from[2] + 1) and last or #line
    lines[at] = vim.fn.strcharpart(line, left - 1, right - left + 1)
  end
  local text = table.concat(lines, "\n") .. (mode == "V" and "\n" or "")
  return M.as_text(#text > MOST and vim.fn.strcharpart(text, 0, MOST) or text)
end

local function place()
  return { line = vim.fn.line("."), character = vim.fn.charcol(".") }
end

--- The selection that is there: its file, as it is now, and the lines where the cursor may be when Visual mode ends.
--- A command line puts it to the start of the selection, before anybody has moved it.
local function selection()
  local lines = { [vim.fn.line("v")] = true, [vim.fn.line(".")] = true }
  return { buffer = vim.api.nvim_get_current_buf(), tick = vim.b.changedtick, lines = lines }
end

--- Whether the user has not gone on in the file since. A new window may show the same file.
local function is_where(kept)
  local is_same = kept and kept.buffer == vim.api.nvim_get_current_buf() and kept.tick == vim.b.changedtick
  return is_same and kept.lines[vim.fn.line(".")]
end

function M.start(send, workspace)
  local last, told_folders = "", table.concat(workspace(), "\n")
  local kept -- the selection that was told last, nil without one
  group = vim.api.nvim_create_augroup("pisces_context", {})

  local function on(names, act)
    vim.api.nvim_create_autocmd(names, { group = group, callback = act })
  end

  local function open(told)
    local path = path_of(told.buf)
    if path then
      send({ ["do"] = "open", path = path })
    end
  end

  local look

  --- Visual mode ends when the cursor leaves the window, and before every command line: no reason to forget the selection.
  --- It is forgotten when the user goes on in the file, or stays in it.
  local function forget_later()
    vim.defer_fn(function()
      if not group or not kept then
        return
      elseif vim.api.nvim_get_mode().mode:sub(1, 1) == "c" then -- the command may be the way to the terminal
        forget_later()
      elseif path_of(vim.api.nvim_get_current_buf()) then
        kept = nil
        look("select")
      end
    end, LEFT_WITHIN)
  end

  --- The whole of it where the file is another one, else only where the cursor is.
  function look(what)
    local path = path_of(vim.api.nvim_get_current_buf())
    if path then -- a terminal or a list of files has the focus: what was looked at last stays
      local text = selected()
      if text then
        kept = selection()
      elseif is_where(kept) then
        return forget_later()
      else
        kept = nil
      end
      local told = { ["do"] = what, path = what == "focus" and path or nil, cursor = place(), selectedText = text }
      local line = vim.json.encode(told)
      if what == "focus" or line ~= last then
        last = line
        send(told)
      end
    end
  end

  local names = {}
  on({ "BufReadPost", "BufNewFile" }, open)
  on({ "BufEnter", "WinEnter" }, function()
    look("focus")
  end)
  on({ "CursorMoved", "CursorMovedI", "ModeChanged" }, function()
    look("select")
  end)
  on("BufWritePost", function() -- it may be on disk only now
    last = ""
    look("select")
  end)
  on("BufUnload", function(told)
    local path = path_of(told.buf)
    if path then
      send({ ["do"] = "close", path = path })
    end
  end)
  on("BufFilePre", function(told)
    names[told.buf] = path_of(told.buf)
  end)
  on("BufFilePost", function(told)
    local old, new = names[told.buf], path_of(told.buf)
    names[told.buf] = nil
    if old and new then
      send({ ["do"] = "rename", path = old, to = new })
    end
  end)
  on({ "DirChanged", "TabClosed", "WinClosed" }, function()
    vim.schedule(function()
      local folders = workspace()
      local told = table.concat(folders, "\n")
      if told ~= told_folders then
        told_folders = told
        send({ ["do"] = "workspace", paths = folders })
        send({ ["do"] = "env" })
      end
    end)
  end)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    open({ buf = buffer })
  end
  look("focus")
end

function M.stop()
  if group then
    vim.api.nvim_del_augroup_by_id(group)
    group = nil
  end
end

return M
