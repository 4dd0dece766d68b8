# As free.py: methods are made again and again under their names.
def f13(d); d; end

def make(i)
  Object.class_eval("def f#{i}(d)\n x = 0\n 3.times { |k| x += k }\n return f#{i + 1}(d) if rand < 0.5\n f#{[13, i + 2].min}(d)\nend")
end

12.downto(0) { |i| make(i) }
loop do
  20.times { f0(1) }
  make(rand(13))
end
