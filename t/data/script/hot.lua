-- Runs without an end, mostly in traces of LuaJIT.
local function f2(d) local x = 0 for i = 1, 40 do x = x + (i * d) % 7 end return x end
local function f1(d) local s = {} for i = 1, 20 do s[i] = f2(i + d) end return s[3] + #table.concat(s, ",") end
local function f0(d) local t = 0 for i = 1, 500 do t = t + f1(i) end return t end
while true do f0(1) end
