// heap: known allocations, each of which Go's runtime samples. It waits at the end for the time of its argument.
package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

var kept [8][]byte
var sink []byte

//go:noinline
func leaks() {
	for i := 0; i < 3; i++ {
		kept[i] = make([]byte, 65536)
	}
}

//go:noinline
func frees() {
	for i := 0; i < 100; i++ {
		sink = make([]byte, 131072)
	}
}

func inlined() []byte { return make([]byte, 262144) }

//go:noinline
func calls() { kept[3] = inlined(); kept[4] = inlined() }

//go:noinline
func down(n int) {
	if n > 0 {
		down(n - 1)
		return
	}
	sink = make([]byte, 65536)
}

func init() { runtime.MemProfileRate = 1 }

func main() {
	leaks()
	frees()
	calls()
	down(100)
	sink = nil
	runtime.GC()
	runtime.GC()
	runtime.MemProfile(nil, true)
	fmt.Println("right")
	if len(os.Args) > 1 {
		wait, _ := time.ParseDuration(os.Args[1])
		time.Sleep(wait)
	}
	os.Exit(7)
}
