# heaptruth.rb: as heaptruth.c, of strings too long for their object, with a byte at the end.
MEAN = (ARGV[0] || 524288).to_f

class Figures
  attr_reader :bytes, :variance, :blocks, :blocks_variance
  def initialize() = (@bytes, @variance, @blocks, @blocks_variance = [0, 0], [0.0, 0.0], 0, 0.0)
  def took(n, live)
    p = 1 - Math.exp(-n / MEAN)
    (live ? 2 : 1).times { |k| @bytes[k] += n; @variance[k] += n * n * (1 - p) / p }
    @blocks += 1
    @blocks_variance += (1 - p) / p
  end
end

def small(n) = "x" * n
def middle(n) = "x" * n
def large(n) = "x" * n

kept = Array.new(60000)
figures = { small: Figures.new, middle: Figures.new, large: Figures.new }
x = 1
60000.times do |i|
  x = (x * 1103515245 + 12345) & 0xffffffff
  f, n = i % 600 == 0 ? [:large, 50000 + (x >> 8) % 500000] :
    i % 10 == 0 ? [:middle, 1000 + (x >> 8) % 8000] : [:small, 700 + (x >> 8) % 300]
  block = f == :large ? large(n) : f == :middle ? middle(n) : small(n)
  live = i / 600 % 2 == 0
  figures[f].took(n + 1, live)
  live ? kept[i] = block : block.clear
end
figures.each do |name, f|
  printf("%s allocated %d %.0f\n", name, f.bytes[0], f.variance[0])
  printf("%s allocations %d %.0f\n", name, f.blocks, f.blocks_variance)
  printf("%s live %d %.0f\n", name, f.bytes[1], f.variance[1])
end
$stdout.flush
exit!(0)
