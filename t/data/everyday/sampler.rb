# Samples a Ruby program with stackprof, as JSON: sampler.rb OUT PROGRAM ARG...
require 'json'
require 'stackprof'

out = ARGV.shift
program = ARGV.shift
profile = StackProf.run(mode: :cpu, interval: 1000, raw: true) { load program }
File.write(out, JSON.generate(profile))
