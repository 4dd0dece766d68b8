-- Samples a LuaJIT program with its own profiler, as folded stacks in the file $OUT: sampler.lua PROGRAM ARG...
-- MODE: of jit.profile; fi1 has compiled code look at each function (luajit -jp), i1 only the interpreter.
local profile = require('jit.profile')
local counts = {}
profile.start(os.getenv('MODE') or 'i1', function(thread, samples)
	local stack, level = '', 0
	while true do
		local info = debug.getinfo(thread, level, 'S')
		if not info then
			break
		end
		if info.what ~= 'C' then
			local name = info.short_src:match('[^/]*$') .. ':' .. math.max(info.linedefined, 1)
			stack = stack == '' and name or name .. ';' .. stack
		end
		level = level + 1
	end
	counts[stack] = (counts[stack] or 0) + samples
end)
local program = arg[1]
for i = 1, #arg do
	arg[i] = arg[i + 1]
end
dofile(program)
profile.stop()
local out = io.open(os.getenv('OUT'), 'w')
for stack, n in pairs(counts) do
	if stack ~= '' then
		out:write(stack, ' ', n, '\n')
	end
end
out:close()
