# Runs without an end: methods in C call blocks, and these call methods.
def f1(x); x + 1; end
def f0(a); a.sort_by { |x| f1(x) }.map { |x| f1(x) }.sum; end
a = (1..1000).to_a
loop { f0(a) }
