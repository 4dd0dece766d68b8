-- As free.py: each function in a file of its own name, fN:1. It calls the next ones by instructions,
-- from functions in C and as metamethods.
local made, meta, load = {}, {}, loadstring or load
local function make(i)
	local a, b = i + 1, math.min(13, i + 2)
	local calls = {"made[" .. a .. "](d)", "made[" .. b .. "](d)", "pcall(made[" .. a .. "], d)",
		"meta[" .. a .. "][d]", "meta[" .. b .. "] .. 'x'", "gsub('ab', 'a', made[" .. a .. "])"}
	local text = "local made, meta, random, pcall, gsub = ... return function(d) local x = 0; for k = 1, 3 do x = x + k end; local k, r = random(6)"
	for k, call in ipairs(calls) do text = text .. " if k == " .. k .. " then r = " .. call .. " end" end
	made[i] = load(i == 13 and "return function(d) return 1 end" or text .. " return 1 end", "@f" .. i)(made, meta, math.random, pcall, string.gsub)
	meta[i] = setmetatable({}, {__index = made[i], __concat = made[i]})
end
for i = 13, 0, -1 do make(i) end
while true do
	for _ = 1, 20 do made[0](1) end
	make(math.random(0, 12))
end
