// swift-tools-version: 6.2
import PackageDescription

// Built and run by `.ci/fuzz`, which passes the flags that libFuzzer needs.
let package = Package(
    name: "allot-fuzzing",
    dependencies: [.package(name: "allot", path: "../..")],
    targets: [
        .systemLibrary(name: "CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CFuzzer", .product(name: "AllotCore", package: "allot"),
                .product(name: "AllotBatch", package: "allot"),
                .product(name: "AllotConfiguration", package: "allot"),
                .product(name: "AllotDefinitions", package: "allot"),
                .product(name: "AllotServing", package: "allot"),
                .product(name: "AllotSigning", package: "allot"),
                .product(name: "AllotSQL", package: "allot"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // By itself, because it is built with the address sanitizer. Sources/FuzzArrow/Arrow is that of AllotCTests.
        .executableTarget(
            name: "FuzzArrow", dependencies: ["CFuzzer", .product(name: "AllotC", package: "allot")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
