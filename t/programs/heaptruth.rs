// heaptruth.rs: as heaptruth.c, by Vec, Box and a vector that grows.
use std::hint::black_box;

struct Figures { name: &'static str, bytes: [f64; 2], variance: [f64; 2], blocks: f64, blocks_variance: f64 }

impl Figures {
    fn new(name: &'static str) -> Self { Figures { name, bytes: [0.0; 2], variance: [0.0; 2], blocks: 0.0, blocks_variance: 0.0 } }
    fn took(&mut self, n: usize, live: bool, mean: f64) {
        let n = n as f64;
        let p = -(-n / mean).exp_m1();
        for k in 0..=(live as usize) {
            self.bytes[k] += n;
            self.variance[k] += n * n * (1.0 - p) / p;
        }
        self.blocks += 1.0;
        self.blocks_variance += (1.0 - p) / p;
    }
    fn print(&self) {
        println!("{} allocated {:.0} {:.0}", self.name, self.bytes[0], self.variance[0]);
        println!("{} allocations {:.0} {:.0}", self.name, self.blocks, self.blocks_variance);
        println!("{} live {:.0} {:.0}", self.name, self.bytes[1], self.variance[1]);
    }
}

#[inline(never)]
fn vectors(n: usize) -> Vec<u8> { black_box(Vec::with_capacity(n)) }
#[inline(never)]
fn boxes() -> Box<[u8; 48]> { black_box(Box::new([1; 48])) }
#[inline(never)]
fn grows(to: &mut Vec<[u8; 48]>) { to.push(black_box([1; 48])) }

fn main() {
    let mean: f64 = std::env::args().nth(1).map_or(524288.0, |a| a.parse().unwrap());
    let (mut v, mut b, mut g) = (Figures::new("vectors"), Figures::new("boxes"), Figures::new("grows"));
    let mut x: u32 = 1;
    for i in 0..20000 {
        x = x.wrapping_mul(1103515245).wrapping_add(12345);
        let n = 1 + (x >> 8) as usize % if i % 100 == 0 { 1000000 } else { 3000 };
        let block = vectors(n);
        v.took(n, i % 3 == 0, mean);
        if i % 3 == 0 { std::mem::forget(block) }
    }
    for i in 0..100000 {
        let block = boxes();
        b.took(48, i % 2 == 0, mean);
        if i % 2 == 0 { std::mem::forget(block) }
    }
    let mut points = Vec::new();
    let mut capacity = 0;
    for _ in 0..200000 {
        grows(&mut points);
        if points.capacity() != capacity {
            capacity = points.capacity();
            g.took(capacity * 48, capacity >= 200000, mean);
        }
    }
    for f in [&v, &b, &g] { f.print() }
    std::mem::forget(points);
}
