// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "allot-benchmarks",
    dependencies: [.package(name: "allot", path: "..")],
    targets: [
        .target(name: "CBaseline", linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "Measure",
            dependencies: [
                "CBaseline", .product(name: "Allot", package: "allot"),
                .product(name: "AllotDefinitions", package: "allot"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
