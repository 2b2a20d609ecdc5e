//! scratch
mod generate;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = std::time::Instant::now();
    let archive = generate::Archive::new(1, 1.0, 4096);
    eprintln!("pool {:?}", t.elapsed());
    let mut out = std::fs::File::create(&a[1]).unwrap();
    let t = std::time::Instant::now();
    let mb: u64 = a[2].parse().unwrap();
    let n = archive.write(mb * 1_000_000, &mut out).unwrap();
    eprintln!("{n} games {:?}", t.elapsed());
}
