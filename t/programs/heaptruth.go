// heaptruth.go: as heaptruth.c, of blocks whose sizes are those of Go's size classes.
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
)

type figures struct {
	name                    string
	bytes, variance         [2]float64
	blocks, blocks_variance float64
}

var mean = 524288.0

func (f *figures) took(size int, live bool) {
	n := float64(size)
	p := -math.Expm1(-n / mean)
	for k := 0; k < 2; k++ {
		if k == 0 || live {
			f.bytes[k] += n
			f.variance[k] += n * n * (1 - p) / p
		}
	}
	f.blocks++
	f.blocks_variance += (1 - p) / p
}

var kept [70000][]byte
var dropped []byte

//go:noinline
func small(n int) []byte { return make([]byte, n) }

//go:noinline
func middle(n int) []byte { return make([]byte, n) }

//go:noinline
func large(n int) []byte { return make([]byte, n) }

func main() {
	if len(os.Args) > 1 {
		mean, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	runtime.GOMAXPROCS(1)
	runtime.MemProfileRate = int(mean)
	for i := 0; i < 256; i++ { // the first distance was drawn from another mean
		dropped = make([]byte, 65536)
	}
	at := 0
	f := []*figures{{name: "small"}, {name: "middle"}, {name: "large"}}
	for i := 0; i < 130000; i++ {
		n, of, k := 48, small, 0
		if i%10 == 0 {
			n, of, k = 1024<<(i/10%4), middle, 1
		}
		if i%1000 == 0 {
			n, of, k = 65536<<(i/1000%4), large, 2
		}
		block := of(n)
		live := i/1000%2 == 0
		f[k].took(n, live)
		if live {
			kept[at] = block
			at++
		} else {
			dropped = block
		}
	}
	dropped = nil
	runtime.GC()
	runtime.GC()
	runtime.MemProfile(nil, true)
	for _, f := range f {
		fmt.Printf("%s allocated %.0f %.0f\n", f.name, f.bytes[0], f.variance[0])
		fmt.Printf("%s allocations %.0f %.0f\n", f.name, f.blocks, f.blocks_variance)
		fmt.Printf("%s live %.0f %.0f\n", f.name, f.bytes[1], f.variance[1])
	}
	runtime.KeepAlive(&kept)
}
