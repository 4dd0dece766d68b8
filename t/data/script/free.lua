-- As free.py: each function in a file of its own name, fN:1.
local made, load = {}, loadstring or load
made[13] = load("return function(d) return d end", "@f13")()
local function make(i)
	made[i] = load("local made, random = ... return function(d) local x = 0; for k = 1, 3 do x = x + k end; if random() < 0.5 then local r = made[" .. i + 1 .. "](d) return r end; local r = made[" .. math.min(13, i + 2) .. "](d) return r end", "@f" .. i)(made, math.random)
end
for i = 12, 0, -1 do make(i) end
while true do
	for _ = 1, 20 do made[0](1) end
	make(math.random(0, 12))
end
