-- As everyday.py, for Lua 5.4 and LuaJIT: everyday.lua NAME [ROUNDS [FACTOR]].
local function parse_request(text)
	local head, body = text:match('^(.-)\r\n\r\n(.*)$')
	local method, path = head:match('^(%S+) (%S+)')
	local headers = {}
	for name, value in head:gmatch('\r\n([^:]+): ([^\r]*)') do
		headers[name:lower()] = value
	end
	return method, path, headers, body
end

local function split(path)
	local parts = {}
	for part in path:gmatch('[^/]+') do
		parts[#parts + 1] = part
	end
	return parts
end

local function match(pattern, parts)
	local values = {}
	for i, want in ipairs(pattern) do
		if want:sub(1, 1) == ':' then
			values[want:sub(2)] = parts[i]
		elseif want ~= parts[i] then
			return nil
		end
	end
	return values
end

local function route(method, path, routes)
	local parts = split(path)
	for _, r in ipairs(routes) do
		local values = r.verb == method and #r.pattern == #parts and match(r.pattern, parts)
		if values then
			return r.handler(values)
		end
	end
	return 404, 'not found'
end

local function show_user(values)
	local id, total = tonumber(values.id), 0
	for i = 1, 200 do
		total = total + (id * i) % 97
	end
	return 200, ('user %d has %d points'):format(id, total)
end

local function list_items()
	local rows = {}
	for i = 1, 40 do
		rows[#rows + 1] = '<li>' .. i * 7 % 31 .. '</li>'
	end
	return 200, table.concat(rows)
end

local function respond(status, body)
	local out = 'HTTP/1.1 ' .. status .. ' OK\r\n'
	for _, h in ipairs({{'Content-Type', 'text/html'}, {'Content-Length', #body}}) do
		out = out .. h[1] .. ': ' .. h[2] .. '\r\n'
	end
	return out .. '\r\n' .. body
end

local function web(rounds)
	local routes = {{verb = 'GET', pattern = {'users', ':id'}, handler = show_user},
		{verb = 'GET', pattern = {'shop', ':name', 'items'}, handler = list_items}}
	local n = 0
	for i = 1, rounds do
		for _, path in ipairs({'/users/17', '/shop/a/items', '/none'}) do
			local method, p = parse_request('GET ' .. path .. ' HTTP/1.1\r\nHost: example.org\r\nX-Id: ' .. i % 7 .. '\r\n\r\n')
			n = n + #respond(route(method, p, routes))
		end
	end
	return n
end

local function make_orders(n)
	local orders = {}
	for i = 1, n do
		local items = {}
		for j = 0, i % 7 do
			items[#items + 1] = {sku = 'a' .. j, n = j + 1, price = j * 1.5}
		end
		orders[i] = {id = i, items = items}
	end
	return orders
end

local function quote(s)
	return '"' .. s:gsub('[\\"]', '\\%0') .. '"'
end

local function encode(value)
	if type(value) == 'string' then
		return quote(value)
	elseif type(value) ~= 'table' then
		return tostring(value)
	end
	local out = {}
	if value[1] then
		for i, v in ipairs(value) do
			out[i] = encode(v)
		end
		return '[' .. table.concat(out, ',') .. ']'
	end
	for k, v in pairs(value) do
		out[#out + 1] = quote(k) .. ':' .. encode(v)
	end
	return '{' .. table.concat(out, ',') .. '}'
end

local decode

local function decode_list(s, at, close)
	local out = {}
	while s:sub(at, at) ~= close do
		local key
		if close == '}' then
			key, at = decode(s, at)
			at = at + 1
		end
		local value
		value, at = decode(s, at)
		out[key or #out + 1] = value
		if s:sub(at, at) == ',' then
			at = at + 1
		end
	end
	return out, at + 1
end

function decode(s, at)
	local c = s:sub(at, at)
	if c == '{' then
		return decode_list(s, at + 1, '}')
	elseif c == '[' then
		return decode_list(s, at + 1, ']')
	elseif c == '"' then
		local stop = s:find('"', at + 1, true)
		return s:sub(at + 1, stop - 1), stop + 1
	end
	local number = s:match('^[-%d.e]+', at)
	return tonumber(number), at + #number
end

local function json(rounds)
	local n = 0
	for _ = 1, rounds do
		local text = encode(make_orders(30))
		n = n + #decode(text, 1) + #text
	end
	return n
end

local function match_lines(lines)
	local found = {}
	for _, line in ipairs(lines) do
		local host, user, status, bytes = line:match('^(%S+) %- (%w+) %[[^%]]+%] "%w+ %S+" (%d+) (%d+)')
		found[#found + 1] = {host, user, status, bytes}
	end
	return found
end

local function hide(digits)
	local out = ''
	for _ = 1, #digits do
		out = out .. '#'
	end
	return out
end

local function anonymize(lines)
	local out = {}
	for i, line in ipairs(lines) do
		out[i] = line:gsub('%d+', hide)
	end
	return out
end

local function by_status(rows)
	local counts = {}
	for _, row in ipairs(rows) do
		counts[row[3]] = (counts[row[3]] or 0) + tonumber(row[4])
	end
	return counts
end

local function regex(rounds)
	local lines, n = {}, 0
	for i = 1, 200 do
		lines[i] = ('10.0.%d.%d - user%d [01/Jan/2026] "GET /page/%d?q=%d" %d %d'):format(i % 7, i % 250, i % 9, i % 40, i, 200 + i % 3 * 100, i * 37)
	end
	for _ = 1, rounds do
		n = n + by_status(match_lines(lines))['200'] + #anonymize(lines)
	end
	return n
end

local function shuffled(n)
	local seed, rows = 7, {}
	for i = 1, n do
		seed = (seed * 16807) % 2147483647
		rows[i] = {seed % 1000, 'name' .. seed % 77}
	end
	return rows
end

local function before(a, b)
	if a[2] ~= b[2] then
		return a[2] < b[2]
	end
	return a[1] > b[1]
end

local function insertion(rows, n)
	local out = {}
	for i = 1, n do
		local x, j = rows[i][1], i
		while j > 1 and out[j - 1] > x do
			out[j] = out[j - 1]
			j = j - 1
		end
		out[j] = x
	end
	return out
end

local function quicksort(rows, low, high)
	if low >= high then
		return
	end
	local pivot, i, j = rows[math.floor((low + high) / 2)][1], low, high
	while i <= j do
		while rows[i][1] < pivot do i = i + 1 end
		while rows[j][1] > pivot do j = j - 1 end
		if i <= j then
			rows[i], rows[j] = rows[j], rows[i]
			i, j = i + 1, j - 1
		end
	end
	quicksort(rows, low, j)
	quicksort(rows, i, high)
end

local function sort(rounds)
	local n = 0
	for _ = 1, rounds do
		local rows = shuffled(1000)
		n = n + #insertion(rows, 200)
		table.sort(rows, before)
		quicksort(rows, 1, #rows)
	end
	return n
end

local function escape(value)
	local entity, out = {['<'] = '&lt;', ['>'] = '&gt;', ['&'] = '&amp;'}, {}
	for c in tostring(value):gmatch('.') do
		out[#out + 1] = entity[c] or c
	end
	return table.concat(out)
end

local function fill(text, values)
	return (text:gsub('{{%s*(%w+)%s*}}', function(name) return escape(values[name]) end))
end

local function template(rounds)
	local n = 0
	for _ = 1, rounds do
		for j = 1, 20 do
			n = n + #fill('<td>{{name}}</td><td>{{ price }}</td><td>{{note}}</td>', {name = 'a<b', price = j, note = 'x & y'})
		end
	end
	return n
end

local digits = {{1000, 'M'}, {900, 'CM'}, {500, 'D'}, {400, 'CD'}, {100, 'C'}, {90, 'XC'}, {50, 'L'}, {40, 'XL'}, {10, 'X'}, {9, 'IX'}, {5, 'V'}, {4, 'IV'}, {1, 'I'}}

local function roman(n)
	local out = ''
	for _, d in ipairs(digits) do
		while n >= d[1] do
			out = out .. d[2]
			n = n - d[1]
		end
	end
	return out
end

local function distance(a, b)
	local row = {}
	for j = 0, #b do row[j] = j end
	for i = 1, #a do
		local last = row[0]
		row[0] = i
		for j = 1, #b do
			local cost = last + (a:byte(i) == b:byte(j) and 0 or 1)
			last = row[j]
			row[j] = math.min(row[j] + 1, row[j - 1] + 1, cost)
		end
	end
	return row[#b]
end

local suite = {passed = 0}

function suite.same(want, have)
	if want == have then
		suite.passed = suite.passed + 1
	end
end

function suite.test_roman()
	for i = 1, 60 do
		suite.same(nil, roman(i):match('[^MDCLXVI]'))
	end
end

function suite.test_distance()
	suite.same(2, distance('flame graphs', 'frame graph'))
end

local function tests(rounds)
	for _ = 1, rounds do
		for _, name in ipairs({'test_roman', 'test_distance'}) do
			pcall(suite[name])
		end
	end
	return suite.passed
end

local function split_row(line)
	local fields, field, quoted = {}, {}, false
	for i = 1, #line do
		local c = line:sub(i, i)
		if c == '"' then
			quoted = not quoted
		elseif c == ',' and not quoted then
			fields[#fields + 1] = table.concat(field)
			field = {}
		else
			field[#field + 1] = c
		end
	end
	fields[#fields + 1] = table.concat(field)
	return fields
end

local function group(rows)
	local sums, n = {}, 0
	for _, row in ipairs(rows) do
		local key = row[1] .. ' ' .. row[2]
		if not sums[key] then n = n + 1 end
		sums[key] = (sums[key] or 0) + tonumber(row[3])
	end
	return n
end

local function rows_of(rounds)
	local lines, n = {}, 0
	for i = 1, 100 do
		lines[i] = ('region%d,%d,%d,"note, %d"'):format(i % 5, i % 12 + 1, i * 3 % 101, i)
	end
	for _ = 1, rounds do
		local rows = {}
		for i, line in ipairs(lines) do
			rows[i] = split_row(line)
		end
		n = n + group(rows)
	end
	return n
end

local function product(a, b)
	local n, out = #a, {}
	for i = 1, n do
		out[i] = {}
		for j = 1, n do
			local sum = 0
			for k = 1, n do
				sum = sum + a[i][k] * b[k][j]
			end
			out[i][j] = sum
		end
	end
	return out
end

local function primes(n)
	local sieve, count = {}, 0
	for i = 2, n do
		if not sieve[i] then
			count = count + 1
			for j = i * i, n, i do
				sieve[j] = true
			end
		end
	end
	return count
end

local function escapes(x, y)
	local a, b = 0, 0
	for i = 1, 40 do
		if a * a + b * b > 4 then
			return i
		end
		a, b = a * a - b * b + x, 2 * a * b + y
	end
	return 40
end

local function numbers(rounds)
	local m, n = {}, 0
	for i = 1, 20 do
		m[i] = {}
		for j = 1, 20 do
			m[i][j] = i * j % 7
		end
	end
	for _ = 1, rounds do
		n = n + product(m, m)[3][4] + primes(3000)
		for x = 1, 12 do
			for y = 1, 12 do
				n = n + escapes(x / 6 - 1.5, y / 6 - 1)
			end
		end
	end
	return n
end

local Node = {}
Node.__index = Node

function Node.new(key)
	return setmetatable({key = key}, Node)
end

function Node:insert(key)
	local side = key < self.key and 'left' or 'right'
	if self[side] then
		self[side]:insert(key)
	else
		self[side] = Node.new(key)
	end
end

function Node:find(key)
	local node = self
	while node and node.key ~= key do
		node = key < node.key and node.left or node.right
	end
	return node and 1 or 0
end

function Node:depth()
	local l = self.left and self.left:depth() or 0
	local r = self.right and self.right:depth() or 0
	return 1 + math.max(l, r)
end

local function tree(rounds)
	local n = 0
	for _ = 1, rounds do
		local root = Node.new(500)
		for i = 1, 300 do root:insert(i * 617 % 1009) end
		for i = 1, 600 do n = n + root:find(i) end
		n = n + root:depth()
	end
	return n
end

local cache, order = {}, {}

local function get(key, make)
	local value = cache[key]
	if not value then
		value = make(key)
		cache[key] = value
		order[#order + 1] = key
		if #order > 60 then
			cache[table.remove(order, 1)] = nil
		end
	end
	return value
end

local function stem(word)
	for _, e in ipairs({'ing', 'ed', 'es', 's'}) do
		if #word > #e + 2 and word:sub(-#e) == e then
			word = word:sub(1, -#e - 1)
		end
	end
	local hash = 0
	for i = 1, #word do
		hash = (hash * 31 + word:byte(i)) % 65536
	end
	return {word, hash}
end

local function count_words(text)
	local counts = {}
	for word in text:lower():gmatch('[^ .,;]+') do
		local key = get(word, stem)[1]
		counts[key] = (counts[key] or 0) + 1
	end
	return counts
end

local function top(counts)
	local list = {}
	for word in pairs(counts) do
		list[#list + 1] = word
	end
	table.sort(list, function(a, b) return counts[a] > counts[b] or counts[a] == counts[b] and a < b end)
	return list[1]
end

local function words(rounds)
	local all, n = {}, 0
	for i = 1, 12 do
		for _, w in ipairs({'walk', 'record', 'sample', 'frame'}) do
			for _, e in ipairs({'', 'ing', 'ed', 's.'}) do
				all[#all + 1] = w .. e .. i % 9
			end
		end
	end
	local text = table.concat(all, ' ')
	for _ = 1, rounds do
		n = n + #top(count_words(text))
	end
	return n
end

local programs = {web = {web, 61000}, json = {json, 1900}, regex = {regex, 2300}, sort = {sort, 950}, template = {template, 17000},
	tests = {tests, 24000}, table = {rows_of, 3800}, numbers = {numbers, 3600}, tree = {tree, 3300}, words = {words, 3600}}
local program = programs[arg[1]]
print(program[1](math.floor((tonumber(arg[2]) or program[2]) * (tonumber(arg[3]) or 1))))
