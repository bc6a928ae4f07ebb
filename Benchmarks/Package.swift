// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "allot-benchmarks",
    dependencies: [
        .package(name: "allot", path: ".."),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
    ],
    targets: [
        .target(name: "CBaseline", linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "Measure",
            dependencies: [
                "CBaseline", .product(name: "Allot", package: "allot"),
                .product(name: "AllotDefinitions", package: "allot"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "ConstantServer",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
