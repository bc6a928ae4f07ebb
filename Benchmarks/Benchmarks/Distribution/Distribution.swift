import AllotAnalysis
import Benchmark
import PeerBucketing

// Quality beside speed: each iteration splits the same 100,000 UUIDs in halves under the next salt, `exp-0`, `exp-1`, …
// The percentiles over the iterations are those of a statistic over salts; what theory says of p50, p90 and p99 is in
// brackets. `swift run ComparePeers` tests more, and says what fails.
let benchmarks: @Sendable () -> Void = {
    let chiSquare = BenchmarkMetric.custom("χ² of 50/50 × 1000 (455, 2706, 6635)", useScalingFactor: false)
    let phi = BenchmarkMetric.custom("|φ| with the salt before × 10⁴ (21, 52, 81)", useScalingFactor: false)
    let uniformity = BenchmarkMetric.custom("χ² of buckets, z × 10 + 1000 (1000, 1013, 1023)", useScalingFactor: false)

    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput, chiSquare, phi, uniformity], timeUnits: .microseconds, warmupIterations: 0,
        maxDuration: .seconds(3), maxIterations: 1000)

    let functions: [any BucketingFunction] = [AllotBucketing()] + Peers.all
    for function in functions {
        let meter = SaltMeter(function, unitCount: 100_000)
        Benchmark(function.name) { benchmark in
            meter.nextSalt()
            benchmark.startMeasurement()
            meter.hash()
            benchmark.stopMeasurement()
            let quality = meter.quality()
            benchmark.measurement(chiSquare, quality.chiSquare)
            benchmark.measurement(phi, quality.phi)
            benchmark.measurement(uniformity, quality.uniformity)
        }
    }
}
