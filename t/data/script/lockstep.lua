-- As lockstep.py. Arguments: plain or coroutine; seed. A function is called file:first line.
local mode, seed = arg[1], tonumber(arg[2])
math.randomseed(seed)
require "callback"
io.stdout:setvbuf("line")
local path, resumed = {}, {}
local main, load = main_thread, loadstring or load
local function push(x) path[#path + 1] = x end
local function pop() path[#path] = nil end
local function backtrace(out, co, level)
	local names = {}
	while true do
		local i
		if co then i = debug.getinfo(co, level, "Sl") else i = debug.getinfo(level, "Sl") end
		if not i then break end
		if i.what ~= "C" and i.what ~= "tail" then
			names[#names + 1] = (i.what == "main" and "main chunk" or i.short_src:match("[^/]*$") .. ":" .. i.linedefined) .. ":" .. i.currentline
		end
		level = level + 1
	end
	for k = #names, 1, -1 do out[#out + 1] = names[k] end
end
function leaf()
	local out = {}
	for k = 0, #resumed - 1 do backtrace(out, resumed[k] or main, 0) end
	backtrace(out, nil, 3); out[#out + 1] = "lockstep.lua:23:" .. debug.getinfo(1, "l").currentline; io.write("0\t", table.concat(path, ";"), "\t", table.concat(out, ";"), "\n"); wait()
	return nil
end
local go
-- Each in a file of its own name, which is what a function is called by.
local function made(name)
	return load("local push, go, pop = ... return function(d) push '" .. name .. "'; go(d); pop() end", "@" .. name)(push, function(d) go(d) end, pop)
end
s0, s1, s2, s3 = made "s0", made "s1", made "s2", made "s3"
local function cc(n, f, d) push(n); _G[n](f, d); pop() end
local function resume(co) resumed[#resumed + 1] = co; coroutine.resume(co); resumed[#resumed] = nil end
local mt = {__index = function(t, k) s1(k) return 1 end, __add = function(a, b) s2(b) return 1 end}
local function hooked(d)
	debug.sethook(function() debug.sethook() s0(d) end, "l")
	local x = d
	debug.sethook()
end
go = function(d)
	if d <= 0 then leaf() return end
	d = d - 1
	local k = math.random(0, mode == "plain" and 13 or 17)
	if k == 0 then s0(d) elseif k == 1 then s1(d) elseif k == 2 then s2(d) elseif k == 3 then s3(d)
	elseif k == 4 then cc("c0", s0, d) elseif k == 5 then cc("c1", s1, d) elseif k == 6 then cc("c2", s2, d)
	elseif k == 7 then pcall(s3, d)
	elseif k == 8 then local once = true; table.sort({2, 1}, function(a, b) if once then once = nil; s1(d) end return a < b end)
	elseif k == 9 then local x = setmetatable({}, mt)[d]
	elseif k == 10 then local x = setmetatable({}, mt) + d
	elseif k == 11 then string.gsub("a", "a", function() s0(d) end)
	elseif k == 12 then xpcall(function() local x; return x[d] end, function() s3(d) end)
	elseif k == 13 then hooked(d)
	elseif k < 16 then resume(coroutine.create(function() s2(d) end))
	elseif k == 16 then local co = coroutine.create(function() pcall(function() coroutine.yield() s1(d) end) end); coroutine.resume(co); resume(co)
	elseif k == 17 then local co = coroutine.create(function() coroutine.yield(1) s0(d) end); coroutine.resume(co); resume(co) end
end
while true do path, resumed = {}, {}; go(math.random(0, 16)) end
