// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "allot-benchmarks",
    dependencies: [
        .package(name: "allot", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "CBaseline", linkerSettings: [.linkedLibrary("crypto")]),
        .systemLibrary(name: "CPeerHashes", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "PeerBucketing",
            dependencies: [
                "CPeerHashes", .product(name: "Allot", package: "allot"),
                .product(name: "AllotAnalysis", package: "allot"), .product(name: "AllotStatistics", package: "allot"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PeerBucketingTests",
            dependencies: [
                "PeerBucketing", .product(name: "Allot", package: "allot"),
                .product(name: "AllotAnalysis", package: "allot"), .product(name: "AllotStatistics", package: "allot"),
            ],
            exclude: ["Vectors"], swiftSettings: strict),
        .testTarget(
            name: "PeerComparisonTests",
            dependencies: [
                "PeerBucketing", "PeerComparison", .product(name: "AllotAnalysis", package: "allot"),
                .product(name: "AllotStatistics", package: "allot"),
            ],
            swiftSettings: strict),
        .target(
            name: "PeerComparison",
            dependencies: [
                "Timing", .product(name: "Allot", package: "allot"),
                .product(name: "AllotAnalysis", package: "allot"), .product(name: "AllotStatistics", package: "allot"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "ComparePeers",
            dependencies: [
                "PeerBucketing", "PeerComparison", .product(name: "AllotAnalysis", package: "allot"),
                .product(name: "AllotStatistics", package: "allot"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(name: "Timing", swiftSettings: strict),
        .executableTarget(
            name: "Measure",
            dependencies: [
                "CBaseline", "Timing", .product(name: "Allot", package: "allot"),
                .product(name: "AllotDefinitions", package: "allot"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "MeasureScale",
            dependencies: [
                "CBaseline", "Timing", .product(name: "Allot", package: "allot"),
                .product(name: "AllotDefinitions", package: "allot"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "MeasureClient",
            dependencies: [
                "Timing", .product(name: "AllotClient", package: "allot"),
                .product(name: "AllotConfiguration", package: "allot"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "Distribution",
            dependencies: [
                "PeerBucketing", .product(name: "Allot", package: "allot"),
                .product(name: "AllotAnalysis", package: "allot"), .product(name: "AllotStatistics", package: "allot"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Distribution", swiftSettings: strict,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ]
)
