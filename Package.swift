// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "allot",
    products: [
        .library(name: "AllotConfiguration", targets: ["AllotConfiguration"]),
        .library(name: "Allot", targets: ["Allot"]),
        .library(name: "AllotDefinitions", targets: ["AllotDefinitions"]),
        .library(name: "AllotBatch", targets: ["AllotBatch"]),
        .library(name: "AllotStatistics", targets: ["AllotStatistics"]),
        .executable(name: "allot", targets: ["AllotCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-numerics.git", from: "1.1.1"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "CSHA256Lanes"),
        .target(name: "CByteMarks"),
        .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
        .target(name: "AllotConfiguration", swiftSettings: strict),
        .target(
            name: "Allot",
            dependencies: ["AllotConfiguration", "CLibCrypto", "CSHA256Lanes", "CRE2"],
            swiftSettings: strict),
        .target(
            name: "AllotDefinitions",
            dependencies: ["Allot", "AllotConfiguration", .product(name: "Yams", package: "Yams")],
            swiftSettings: strict),
        .target(
            name: "AllotBatch", dependencies: ["Allot", "AllotConfiguration", "CByteMarks"], swiftSettings: strict),
        .target(
            name: "AllotStatistics",
            dependencies: [.product(name: "RealModule", package: "swift-numerics")],
            swiftSettings: strict),
        .executableTarget(
            name: "AllotCommand",
            dependencies: [
                "Allot", "AllotConfiguration", "AllotDefinitions", "AllotBatch", "AllotStatistics",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "AllotConfigurationTests", dependencies: ["AllotConfiguration", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "AllotTests", dependencies: ["Allot", "AllotConfiguration", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "AllotDefinitionsTests",
            dependencies: [
                "Allot", "AllotConfiguration", "AllotDefinitions", "TestSupport",
                .product(name: "Yams", package: "Yams"),
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "AllotBatchTests", dependencies: ["Allot", "AllotBatch", "AllotDefinitions", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "ReadmeTests", dependencies: ["AllotCommand", "Allot", "AllotDefinitions"], swiftSettings: strict),
        .testTarget(name: "AllotStatisticsTests", dependencies: ["AllotStatistics"], swiftSettings: strict),
        .testTarget(
            name: "AllotCommandTests", dependencies: ["AllotCommand", "AllotConfiguration"], exclude: ["Fixtures"],
            swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)
