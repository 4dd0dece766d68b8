# As lockstep.py. Arguments: plain, fiber or thread; seed; the folder of callback.so.
mode, seed, folder = ARGV
$:.unshift folder
require 'callback'
$stdout.sync = true
srand(seed.to_i)
$mode = mode
$main = self

def path
  Thread.current[:path] ||= []
end

# Methods in C have the place of their caller: :0 here. Labels have no class in Ruby 3.1.
C_METHODS = { 'each' => 'Array#', 'times' => 'Integer#', 'eval' => 'Kernel#', 'sort_by' => 'Enumerable#',
              'instance_eval' => 'BasicObject#', 'new' => 'Class#', 'initialize' => 'Enumerator#',
              'next' => 'Enumerator#', 'map' => 'Array#', 'raise' => 'Kernel#' }.freeze
IN_RUBY = RUBY_VERSION < '3.3' ? [] : ['times'] # methods that are written in Ruby
OF_HASH = ['Array#map:0;Array#each:0', 'Enumerable#map:0;Hash#each:0'].freeze
ENUMERATOR = File.readlines(__FILE__).index { |l| l.include?('En' 'umerator.new') } + 1
IN_FIBER = 'Enumerator#each:0;Enumerator::Generator#each:0;'.freeze # an Enumerator's, which calls the block
OWN = /\A(block .*in |rescue in |ensure in )*(go|leaf|cc|s0|s1|top|K#s2|K\.s3|s2|s3|<main>|with)\z/
TID = Thread.method_defined?(:native_thread_id) ? -> { Thread.current.native_thread_id } : -> { syscall(186) } # gettid
def leaf
  backtrace = caller_locations(0).select { |l| l.path == __FILE__ && !IN_RUBY.include?(l.base_label) }.map { |l|
    label = l.label.sub(/[\w:]+[#.](?=\w+\z)/, '') # from 3.4 on labels have the class
    label = l.label if label =~ /\As[23]\z/
    base = l.base_label
    next "#{C_METHODS[label] || 'Object#'}#{label}:0" unless label =~ OWN

    kind = { 's2' => 'K#', 's3' => 'K.' }[base] || 'Object#'
    full = base == '<main>' ? label : label.delete_prefix('K#').delete_prefix('K.')[0..-base.size - 1] + kind + base
    "#{full}:#{l.lineno}" }.reverse
  backtrace[-1] = "Object#leaf:#{__LINE__ + 2};IO#gets:0"
  backtrace = backtrace.join(';').gsub(*OF_HASH).sub(/\Ablock in Object#go:#{ENUMERATOR}\b/) { IN_FIBER + $& }
  $stdout.write("#{TID.call}\t#{path.join(';')}\t#{backtrace}\n"); $stdin.gets
end

def with(name)
  path.push(name)
  yield
ensure
  path.pop
end

def cc(name, *more)
  path.push(name, *more)
  yield
ensure
  (more.size + 1).times { path.pop }
end

def s0(d)
  path.push('s0')
  go(d)
ensure
  path.pop
end

def s1(d); with('s1') { go(d) }; end

class K
  def s2(d); $main.send(:with, 's2') { $main.send(:go, d) }; end
  def self.s3(d); $main.send(:with, 's3') { $main.send(:go, d) }; end
end

def go(d)
  return leaf if d <= 0
  case rand($mode == 'fiber' ? 16 : 14)
  when 0 then s0(d - 1)
  when 1 then s1(d - 1)
  when 2 then K.new.s2(d - 1)
  when 3 then K.s3(d - 1)
  when 4 then cc('c0') { c0(d - 1) }
  when 5 then cc('c1') { c1(d - 1) }
  when 6 then cc('c2') { c2(d - 1) { |x| s0(x) } }
  when 7 then cc('c3') { c3(d - 1) }
  when 8 then cc('c4') { c4(d - 1) }
  when 9 then [1].each { |_| go(d - 1) }
  when 10 then { a: 1 }.map { |_, _| [3].sort_by { |_| K.s3(d - 1); 1 } }
  when 11 then begin; raise 'x'; rescue; s0(d - 1); end
  when 12 then 1.times { K.new.s2(d - 1) }
  when 13 then send("s#{rand(2)}", d - 1)
  when 14 then Fiber.new { before = path; Thread.current[:path] = []; go(d - 1) }.resume
  when 15 then Enumerator.new { |y| Thread.current[:path] = []; go(d - 1); y << 1 }.next
  end
end

def top(n); n.times { Thread.current[:path] = []; go(rand(20)) }; end

if mode == 'thread'
  loop { Thread.new { top(50) }.join }
else
  top(1_000_000)
end
