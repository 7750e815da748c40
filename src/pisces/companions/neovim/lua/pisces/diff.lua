-- Proposed changes as real diffs: on the left the file, on the right what the agent wants, to be edited, written or closed.
-- Nothing is written to the file here: the agent does that when the change was accepted.
local as_text = require("pisces.context").as_text

local M = {}
local send
local views = {} -- by path: { path, left, right, wins, origin, mode, is_left_ours }
local newest -- the path of the view that was opened last

--- Fills a buffer so that `text_of` gives back the very same bytes.
local function fill(buffer, content)
  local is_dos = content:find("\r\n", 1, true) and not content:gsub("\r\n", ""):find("\n", 1, true)
  local text = is_dos and content:gsub("\r\n", "\n") or content
  local lines = vim.split((text:gsub("\n$", "")), "\n", { plain = true })
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, content == "" and {} or lines)
  vim.bo[buffer].fixendofline = false
  vim.bo[buffer].endofline = content == "" or content:sub(-1) == "\n"
  vim.bo[buffer].fileformat = is_dos and "dos" or "unix"
end

local function text_of(view)
  local is_empty = vim.api.nvim_buf_call(view.right, function()
    return vim.fn.wordcount().bytes == 0
  end)
  if is_empty then
    return ""
  end
  local ends = vim.bo[view.right].fileformat == "dos" and "\r\n" or "\n"
  local text = table.concat(vim.api.nvim_buf_get_lines(view.right, 0, -1, false), ends)
  return as_text(text .. (vim.bo[view.right].endofline and ends or ""))
end

--- The file in its own buffer, or nothing at all. A buffer that was made for this goes away afterwards.
local function left_buffer(view)
  if vim.fn.filereadable(view.path) == 0 then
    view.is_left_ours = true
    local buffer = vim.api.nvim_create_buf(false, true)
    vim.bo[buffer].modifiable = false
    return buffer
  end
  view.is_left_ours = vim.fn.bufexists(view.path) == 0
  local buffer = vim.fn.bufadd(view.path)
  vim.fn.bufload(buffer)
  return buffer
end

local function right_buffer(view, content)
  local buffer = vim.api.nvim_create_buf(false, false)
  vim.api.nvim_buf_set_name(buffer, ("pisces://%d/%s"):format(buffer, view.path))
  vim.bo[buffer].buftype = "acwrite"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].swapfile = false
  fill(buffer, content)
  vim.bo[buffer].syntax = vim.bo[view.left].filetype
  vim.bo[buffer].modified = false
  vim.api.nvim_create_autocmd("BufWriteCmd", {
    buffer = buffer,
    callback = function(told)
      if told.match ~= vim.api.nvim_buf_get_name(buffer) then -- a copy elsewhere decides nothing
        vim.fn.writefile(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), told.match)
        return
      end
      vim.bo[buffer].modified = false
      M.accept(view)
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = buffer,
    callback = function()
      M.reject(view)
    end,
  })
  return buffer
end

local function place(view)
  local function split(window, how, buffer)
    return vim.api.nvim_win_call(window, function()
      vim.cmd(how)
      vim.api.nvim_win_set_buf(0, buffer)
      return vim.api.nvim_get_current_win()
    end)
  end
  local left = split(view.origin, "topleft split", view.left)
  view.wins = { left }
  view.wins[2] = split(left, "rightbelow vsplit", view.right)
  for _, window in ipairs(view.wins) do
    vim.api.nvim_win_call(window, function()
      vim.cmd("diffthis")
    end)
  end
  pcall(function() -- since 0.8
    vim.wo[view.wins[2]].winbar = "proposed: write to accept, close to reject"
  end)
  for _, window in ipairs(view.wins) do
    vim.api.nvim_create_autocmd("WinClosed", {
      pattern = tostring(window),
      once = true,
      callback = function()
        M.reject(view)
      end,
    })
  end
end

--- Two windows above everything else; the cursor and the mode stay where they are, and nobody hears of a visit.
local function show(view)
  local ignored = vim.o.eventignore
  vim.o.eventignore = "BufEnter,BufLeave,WinEnter,WinLeave,WinNew"
  local ok, problem = pcall(place, view)
  vim.o.eventignore = ignored
  if not ok then
    error(problem, 0)
  end
end

local function close_window(window)
  if vim.api.nvim_win_is_valid(window) and not pcall(vim.api.nvim_win_close, window, true) then
    vim.api.nvim_win_call(window, function() -- the last one there is
      vim.cmd("diffoff")
      vim.cmd("enew")
    end)
  end
end

--- After an agent has written the file, show that in its buffer.
local function look_for_change(buffer)
  vim.fn.timer_start(500, function()
    if buffer and vim.api.nvim_buf_is_valid(buffer) and vim.bo[buffer].buftype == "" and vim.api.nvim_buf_get_name(buffer) ~= "" then
      pcall(vim.cmd, "silent! checktime " .. buffer)
    end
  end, { ["repeat"] = 6 })
end

--- Takes the view away, once. Windows cannot be closed from within their own events, so that part may come later.
local function finish(view)
  views[view.path] = nil
  look_for_change(view.left)
  local current = vim.api.nvim_get_current_win()
  local function tidy()
    for _, window in ipairs(view.wins or {}) do
      close_window(window)
    end
    for buffer, is_ours in pairs({ [view.right or 0] = view.right ~= nil, [view.left or 0] = view.is_left_ours }) do
      if is_ours and vim.api.nvim_buf_is_valid(buffer) and vim.fn.bufwinid(buffer) == -1 then
        pcall(vim.api.nvim_buf_delete, buffer, { force = buffer == view.right })
      end
    end
    if vim.tbl_contains(view.wins or {}, current) and vim.api.nvim_win_is_valid(view.origin) then
      vim.api.nvim_set_current_win(view.origin)
      if view.mode == "t" and vim.bo.buftype == "terminal" then
        vim.cmd("startinsert")
      end
    end
  end
  return tidy
end

--- The one asked for, else the one under the cursor, else the one opened last.
local function chosen(view)
  local here = vim.api.nvim_get_current_buf()
  for _, each in pairs(views) do
    if view == nil and (each.right == here or each.left == here) then
      return each
    end
  end
  view = view or views[newest] or views[next(views)]
  return view and views[view.path] == view and view or nil
end

function M.start(teller)
  send = teller
end

function M.count()
  return vim.tbl_count(views)
end

function M.open(path, content)
  if views[path] then
    finish(views[path])()
  end
  local view = { path = path, origin = vim.api.nvim_get_current_win(), mode = vim.api.nvim_get_mode().mode }
  views[path], newest = view, path
  local ok, problem = pcall(function()
    view.left = left_buffer(view)
    view.right = right_buffer(view, content)
    show(view)
  end)
  if not ok then
    finish(view)()
    error(problem, 0)
  end
end

--- The text as it is now; nil without such a diff.
function M.close(path)
  local view = views[path]
  if view then
    local text = text_of(view)
    finish(view)()
    return text
  end
end

function M.close_all()
  for _, path in ipairs(vim.tbl_keys(views)) do
    M.close(path)
  end
end

function M.accept(view)
  view = chosen(view)
  if view then
    send({ ["do"] = "accept", path = view.path, content = text_of(view) })
    vim.schedule(finish(view))
  end
end

function M.reject(view)
  view = chosen(view)
  if view then
    send({ ["do"] = "reject", path = view.path })
    vim.schedule(finish(view))
  end
end

return M
