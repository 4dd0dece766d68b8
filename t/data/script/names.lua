-- Prints the names that its functions have by the rules of the language's own backtrace, and waits, as lockstep.lua.
require "callback"
io.stdout:setvbuf("line")
local names = {}
-- name(text, f): f has that name; ~: it has none, and is called file:line
local function name(text, f) names[f] = text return f end
local function wait_here(level)
	local out = {}
	while true do
		local i = debug.getinfo(level, "Slf")
		if not i then break end
		if i.what ~= "C" and i.what ~= "tail" then
			local text = i.what == "main" and "main chunk" or names[i.func]
			if text == "~" then text = i.short_src:match("[^/]*$") .. ":" .. i.linedefined end
			table.insert(out, 1, text .. ":" .. i.currentline)
		end
		level = level + 1
	end
	out[#out + 1] = "wait_here:" .. debug.getinfo(1, "l").currentline; io.write("0\t\t", table.concat(out, ";"), "\n"); wait()
	return nil
end
local shop = {}
package.loaded.shop = shop
local T = {}
T.__index = T
local here
local rest = {}
local function go()
	local f = table.remove(rest)
	if f then f() else wait_here(2) end
	return nil
end
names[go] = "go"
-- Each element of `calls` calls one function, which goes on with the next.
local calls = {}
local function add(f) calls[#calls + 1] = name("f", f) end
function everywhere() go() return nil end
name("everywhere", everywhere)
function shop.handler() go() return nil end
name("shop.handler", shop.handler)
package.loaded.single = name("single", function() go() return nil end)
local single = package.loaded.single
local middle = name("middle", function() go() return nil end)
function T:price() go() return nil end
name("price", T.price)
local inner = {field = name("field", function() go() return nil end),
	[1] = name("~", function() go() return nil end)}
function T.__add(a, b) go() return 1 end
name("__add", T.__add)
function T.__concat(a, b) go() return "" end
name("__concat", T.__concat)
function T.__unm(a) go() return 1 end
name("__unm", T.__unm)
function T.__lt(a, b) go() return true end
name("__lt", T.__lt)
function T.__newindex(a, k, v) go() end
name("__newindex", T.__newindex)
local D = {__index = name("__index", function(t, k) go() return 1 end)}
local function factory() return function() go() return nil end end
First, Second = factory(), factory()
name("First", First)
add(function() everywhere() return nil end)
add(function() shop.handler() return nil end)
add(function() single() return nil end)
add(function() middle() return nil end)
add(function() local x = setmetatable({}, T) x:price() return nil end)
add(function() inner.field() return nil end)
add(function() inner[1]() return nil end)
add(function() local x = setmetatable({}, T) + 1 return x end)
add(function() local x = 1 + setmetatable({}, T) return x end)
add(function() local x = setmetatable({}, T) .. "x" return x end)
add(function() local x = -setmetatable({}, T) return x end)
add(function() local x = setmetatable({}, T) < setmetatable({}, T) return x end)
add(function() local x = setmetatable({}, T) x[1] = 1 return nil end)
add(function() local x = setmetatable({}, D) local y = x.any return y end)
add(function() First() return nil end)
local function maker() return function() go() return nil end end
add(function() local mine = name("mine", maker()) mine() return nil end)
add(function() local either = everywhere local r = 1 + (either and 1 or 2) if r then either() end return nil end)
-- without a name: a parameter, a call by C, a conditional value, a call in place of a return
local function apply(given) given() return nil end
names[apply] = "apply"
local unnamed = name("~", function() go() return nil end)
local called = name("~", function() go() return nil end)
add(function() apply(unnamed) return nil end)
add(function() pcall(called) return nil end)
local condition = true
local some = name("~", function() go() return nil end)
add(function() (condition and some or print)() return nil end)
local helper = name("~", function() go() return nil end)
local function ends() return helper() end
add(function() ends() return nil end)
local shared = name("shared", function() go() return nil end)
local function varied(...) local x = ... shared() return nil end
names[varied] = "varied"
add(function() varied(1, 2) return nil end)
function T.__len(...) go() return 1 end
name("__len", T.__len)
if jit == nil then add(function() local x = #setmetatable({}, T) return x end) end
function T.__div(...) go() return 1 end
name("__div", T.__div)
add(function() local x = 1 / setmetatable({}, T) return x end)
local Base = {} Base.__index = Base
function Base:inherited() go() return nil end
name("inherited", Base.inherited)
local Child = setmetatable({}, Base) Child.__index = Child
add(function() local x = {y = setmetatable({}, Child)} x.y:inherited() return nil end)
-- Each alone, and then all of them in one stack.
for i = 1, #calls do rest = {calls[i]} go() end
for i = 1, #calls do rest[i] = calls[i] end
go()
io.write("END\n")
