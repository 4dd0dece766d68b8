# As everyday.py: everyday.rb NAME [ROUNDS].
require 'csv'
require 'erb'
require 'json'

module Web
  def self.parse_request(text)
    head, body = text.split("\r\n\r\n", 2)
    lines = head.split("\r\n")
    method, path, = lines.shift.split(' ')
    headers = {}
    lines.each do |line|
      name, value = line.split(': ', 2)
      headers[name.downcase] = value
    end
    [method, path, headers, body]
  end

  class Router
    def initialize
      @routes = []
    end

    def add(verb, pattern, &handler)
      @routes << [verb, pattern.split('/').reject(&:empty?), handler]
    end

    def route(method, path)
      parts = path.split('/').reject(&:empty?)
      @routes.each do |verb, pattern, handler|
        next unless verb == method && pattern.size == parts.size

        values = match(pattern, parts)
        return handler.call(values) if values
      end
      [404, 'not found']
    end

    def match(pattern, parts)
      values = {}
      pattern.each_with_index do |want, i|
        if want.start_with?(':')
          values[want[1..]] = parts[i]
        elsif want != parts[i]
          return nil
        end
      end
      values
    end
  end

  def self.show_user(id)
    total = 0
    i = 0
    while i < 120
      total += (id * i) % 97
      i += 1
    end
    [200, "user #{id} has #{total} points"]
  end

  def self.respond(status, body)
    out = +"HTTP/1.1 #{status} OK\r\n"
    { 'Content-Type' => 'text/html', 'Content-Length' => body.size.to_s }.each do |name, value|
      out << name << ': ' << value << "\r\n"
    end
    out << "\r\n" << body
  end

  def self.run(rounds)
    router = Router.new
    router.add('GET', '/users/:id') { |v| show_user(v['id'].to_i) }
    router.add('GET', '/shop/:name/items') { |v| [200, (0...20).map { |i| "<li>#{i * 7 % 31}</li>" }.join] }
    texts = ['/users/17', '/shop/a/items', '/none'].map { |p| "GET #{p} HTTP/1.1\r\nHost: example.org\r\nX-Id: 5\r\n\r\n" }
    n = 0
    rounds.times do
      texts.each do |text|
        method, path, = parse_request(text)
        n += respond(*router.route(method, path)).size
      end
    end
    n
  end
end

module Orders
  def self.make(n)
    (0...n).map { |i| { 'id' => i, 'items' => (0..i % 7).map { |j| { 'sku' => "a#{j}", 'n' => j + 1, 'price' => j * 1.5 } } } }
  end

  def self.encode(value)
    case value
    when Hash then "{#{value.map { |k, v| "\"#{k}\":#{encode(v)}" }.join(',')}}"
    when Array then "[#{value.map { |v| encode(v) }.join(',')}]"
    else encode_scalar(value)
    end
  end

  def self.encode_scalar(value)
    value.is_a?(String) ? "\"#{value.gsub('"', '\\"')}\"" : value.inspect
  end

  def self.totals(orders)
    sums = Hash.new(0)
    orders.each { |o| o['items'].each { |i| sums[i['sku']] += i['n'] * i['price'] } }
    sums
  end

  def self.run(rounds)
    n = 0
    rounds.times do
      orders = make(60)
      n += totals(JSON.parse(encode(orders))).size + JSON.generate(orders).size
    end
    n
  end
end

module Log
  LINE = /(\S+) - (\w+) \[([^\]]+)\] "(\w+) (\S+)" (\d{3}) (\d+)/.freeze

  def self.make(n)
    (0...n).map { |i| format('10.0.%d.%d - user%d [01/Jan/2026:00:00:00] "GET /page/%d?q=%d" %d %d', i % 7, i % 250, i % 9, i % 40, i, 200 + i % 3 * 100, i * 37) }
  end

  def self.match_lines(lines)
    lines.filter_map { |line| LINE.match(line)&.captures }
  end

  def self.anonymize(lines)
    lines.map { |line| line.gsub(/\d+/) { |m| '#' * m.size } }
  end

  def self.by_status(rows)
    rows.each_with_object(Hash.new(0)) { |row, counts| counts[row[5]] += row[6].to_i }
  end

  def self.run(rounds)
    lines = make(200)
    n = 0
    rounds.times { n += by_status(match_lines(lines)).size + anonymize(lines).size }
    n
  end
end

module Sort
  def self.shuffled(n)
    seed = 7
    Array.new(n) do
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      [seed % 1000, "name#{seed % 77}"]
    end
  end

  def self.insertion(rows)
    rows = rows.map(&:first)
    i = 1
    while i < rows.size
      x = rows[i]
      j = i
      while j.positive? && rows[j - 1] > x
        rows[j] = rows[j - 1]
        j -= 1
      end
      rows[j] = x
      i += 1
    end
    rows
  end

  def self.quicksort(rows)
    return rows if rows.size < 2

    pivot = rows[rows.size / 2]
    less, rest = rows.partition { |r| (r <=> pivot).negative? }
    same, more = rest.partition { |r| r == pivot }
    quicksort(less) + same + quicksort(more)
  end

  def self.run(rounds)
    n = 0
    rounds.times do
      rows = shuffled(1000)
      n += quicksort(rows).size + rows.sort_by { |r| [r[1], -r[0]] }.size + insertion(rows.take(150)).size
    end
    n
  end
end

module Page
  def self.escape(value)
    out = +''
    value.to_s.each_char { |c| out << ({ '<' => '&lt;', '>' => '&gt;', '&' => '&amp;' }[c] || c) }
    out
  end

  def self.fill(text, values)
    text.gsub(/\{\{(.*?)\}\}/) { escape(values[Regexp.last_match(1).strip]) }
  end

  def self.run(rounds)
    page = ERB.new('<h1><%= title %></h1><% rows.each do |r| %><tr><%= r %></tr><% end %>')
    n = 0
    rounds.times do |i|
      title = "page #{i}"
      rows = (0...20).map { |j| fill('<td>{{name}}</td><td>{{ price }}</td>', 'name' => 'a<b & c', 'price' => j) }
      n += page.result_with_hash(title: title, rows: rows).size
    end
    n
  end
end

module Roman
  DIGITS = { 1000 => 'M', 900 => 'CM', 500 => 'D', 400 => 'CD', 100 => 'C', 90 => 'XC', 50 => 'L', 40 => 'XL',
             10 => 'X', 9 => 'IX', 5 => 'V', 4 => 'IV', 1 => 'I' }.freeze

  def self.of(n)
    out = +''
    DIGITS.each do |value, digit|
      while n >= value
        out << digit
        n -= value
      end
    end
    out
  end

  def self.distance(a, b)
    row = (0..b.size).to_a
    a.each_char.with_index(1) do |x, i|
      last = row[0]
      row[0] = i
      b.each_char.with_index(1) do |y, j|
        cost = last + (x == y ? 0 : 1)
        last = row[j]
        row[j] = [row[j] + 1, row[j - 1] + 1, cost].min
      end
    end
    row.last
  end
end

class Suite
  def initialize
    @failed = 0
    @run = 0
  end

  def assert_equal(want, have)
    @run += 1
    @failed += 1 unless want == have
  end

  def test_roman
    (1..60).each { |i| assert_equal('', Roman.of(i).delete('MDCLXVI')) }
  end

  def test_distance
    assert_equal(2, Roman.distance('flame graphs', 'frame graph'))
  end

  def test_sum
    assert_equal(4950, (0...100).sum)
  end

  def run_all
    public_methods(false).grep(/^test_/).each { |name| send(name) }
    @run - @failed
  end

  def self.run(rounds)
    n = 0
    rounds.times { n += new.run_all }
    n
  end
end

module Table
  def self.split_row(line)
    fields = []
    field = +''
    quoted = false
    line.each_char do |c|
      if c == '"'
        quoted = !quoted
      elsif c == ',' && !quoted
        fields << field
        field = +''
      else
        field << c
      end
    end
    fields << field
  end

  def self.group(rows)
    sums = Hash.new(0)
    rows.each { |row| sums[[row[0], row[1]]] += row[2].to_i }
    sums
  end

  def self.run(rounds)
    text = (0...100).map { |i| "region#{i % 5},#{i % 12 + 1},#{i * 3 % 101},\"note, #{i}\"\n" }.join
    n = 0
    rounds.times { n += group(CSV.parse(text)).size + group(text.lines.map { |l| split_row(l.chomp) }).size }
    n
  end
end

module Numbers
  def self.product(a, b)
    n = a.size
    (0...n).map { |i| (0...n).map { |j| (0...n).sum { |k| a[i][k] * b[k][j] } } }
  end

  def self.primes(n)
    sieve = Array.new(n, true)
    i = 2
    while i < n
      if sieve[i]
        j = i * i
        while j < n
          sieve[j] = false
          j += i
        end
      end
      i += 1
    end
    sieve.count(true)
  end

  def self.escapes(x, y)
    a = b = 0.0
    40.times do |i|
      return i if a * a + b * b > 4

      a, b = a * a - b * b + x, 2 * a * b + y
    end
    40
  end

  def self.run(rounds)
    m = Array.new(20) { |i| Array.new(20) { |j| i * j % 7 } }
    n = 0
    rounds.times do
      n += product(m, m)[3][4] + primes(3000)
      12.times { |x| 12.times { |y| n += escapes(x / 6.0 - 1.5, y / 6.0 - 1) } }
    end
    n
  end
end

class Node
  attr_reader :key

  def initialize(key)
    @key = key
    @left = @right = nil
  end

  def insert(key)
    if key < @key
      @left ? @left.insert(key) : @left = Node.new(key)
    else
      @right ? @right.insert(key) : @right = Node.new(key)
    end
  end

  def find(key)
    return true if key == @key

    child = key < @key ? @left : @right
    child ? child.find(key) : false
  end

  def depth
    1 + [@left ? @left.depth : 0, @right ? @right.depth : 0].max
  end

  def self.run(rounds)
    n = 0
    rounds.times do
      root = Node.new(500)
      300.times { |i| root.insert(i * 617 % 1009) }
      600.times { |i| n += 1 if root.find(i) }
      n += root.depth
    end
    n
  end
end

class Cache
  def initialize(limit)
    @limit = limit
    @data = {}
  end

  def get(key)
    value = @data.delete(key) || yield(key)
    @data.shift if @data.size >= @limit
    @data[key] = value
  end
end

module Words
  def self.stem(word)
    %w[ing ed es s].each { |e| word = word[0...-e.size] if word.end_with?(e) && word.size > e.size + 2 }
    hash = 0
    word.each_byte { |c| hash = (hash * 31 + c) & 0xffff }
    [word, hash]
  end

  def self.count(text, cache)
    counts = Hash.new(0)
    text.downcase.split.each { |word| counts[cache.get(word.delete('.,;')) { |w| stem(w) }[0]] += 1 }
    counts
  end

  def self.run(rounds)
    text = (0...12).flat_map { |i| %w[walk record sample frame].flat_map { |w| ['', 'ing', 'ed', 's.'].map { |e| "#{w}#{e}#{i % 9}" } } }.join(' ')
    cache = Cache.new(60)
    n = 0
    rounds.times { n += count(text, cache).sort_by { |w, c| [-c, w] }.take(10).size }
    n
  end
end

PROGRAMS = { 'web' => [Web, 48000], 'json' => [Orders, 920], 'regex' => [Log, 450], 'sort' => [Sort, 200],
             'template' => [Page, 7000], 'tests' => [Suite, 11000], 'table' => [Table, 990], 'numbers' => [Numbers, 740],
             'tree' => [Node, 2400], 'words' => [Words, 2100] }.freeze
program, rounds = PROGRAMS.fetch(ARGV[0])
puts program.run((ARGV[1] || rounds).to_i)
