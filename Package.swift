// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

extension Target.Dependency {
    /// A product of another package that the client does not need.
    static func server(_ name: String, _ package: String) -> Self {
        .product(name: name, package: package, condition: .when(traits: ["Server"]))
    }

    /// A product of swift-configuration, which only `ConfigurationAllot` needs.
    static func configuration(_ name: String) -> Self {
        .product(name: name, package: "swift-configuration", condition: .when(traits: ["Server", "Configuration"]))
    }
}

#if canImport(Darwin)
    let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
    let unusedManifests: [String] = []
#else
    // Elsewhere no app reads it, and a resource would be a folder next to each program.
    let privacyManifest: [Resource] = []
    let unusedManifests = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "allot",
    // The earliest systems that run the client. ConfigurationAllot says at its declarations which ones it needs, those
    // of swift-configuration; the core, the server and the programs are for Linux, and call API of later systems.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "AllotConfiguration", targets: ["AllotConfiguration"]),
        .library(name: "AllotClient", targets: ["AllotClient"]),
        .library(name: "ConfigurationAllot", targets: ["ConfigurationAllot"]),
        .library(name: "Allot", targets: ["Allot"]),
        .library(name: "AllotCore", targets: ["AllotCore"]),
        .library(name: "AllotDefinitions", targets: ["AllotDefinitions"]),
        .library(name: "AllotFiles", targets: ["AllotFiles"]),
        .library(name: "AllotBatch", targets: ["AllotBatch"]),
        .library(name: "AllotStatistics", targets: ["AllotStatistics"]),
        .library(name: "AllotAnalysis", targets: ["AllotAnalysis"]),
        .library(name: "AllotSQL", targets: ["AllotSQL"]),
        .library(name: "AllotGit", targets: ["AllotGit"]),
        .library(name: "AllotProofs", targets: ["AllotProofs"]),
        .library(name: "AllotImport", targets: ["AllotImport"]),
        .library(name: "AllotSigning", targets: ["AllotSigning"]),
        .library(name: "AllotExposures", targets: ["AllotExposures"]),
        .library(name: "AllotPostgreSQL", targets: ["AllotPostgreSQL"]),
        .library(name: "AllotServing", targets: ["AllotServing"]),
        .library(name: "AllotServer", targets: ["AllotServer"]),
        .library(name: "AllotPages", targets: ["AllotPages"]),
        .library(name: "AllotPageRoutes", targets: ["AllotPageRoutes"]),
        // All objects of the C interface in one archive, of which Sources/AllotC/build links liballot.so.
        .library(name: "AllotC", type: .static, targets: ["AllotC"]),
        .executable(name: "allot", targets: ["AllotCommand"]),
        .executable(name: "allot-server", targets: ["allot-server"]),
    ],
    // An app names this package with `traits: []`, and resolves no other.
    traits: [
        .trait(name: "Server", description: "The programs, and what servers embed"),
        .trait(name: "Configuration", description: "ConfigurationAllot, for an app without the trait Server"),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms.git", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-numerics.git", from: "1.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin.git", from: "1.5.0"),
    ],
    targets: [
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "CSHA256Lanes"),
        .target(name: "CByteMarks"),
        .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(name: "AllotConfiguration", swiftSettings: strict),
        .plugin(name: "RecordCommit", capability: .buildTool(), path: "Sources/RecordCommit"),
        .target(
            name: "CommandLineProgram",
            dependencies: [
                "AllotConfiguration", "AllotFiles",
                .server("ArgumentParser", "swift-argument-parser"),
            ],
            swiftSettings: strict, plugins: ["RecordCommit"]),
        .target(
            name: "AllotClient", dependencies: ["AllotConfiguration", "AllotFiles"], exclude: unusedManifests,
            resources: privacyManifest, swiftSettings: strict),
        .target(
            name: "ConfigurationAllot",
            dependencies: [
                "AllotClient", "AllotConfiguration", .configuration("Configuration"),
            ],
            // swift-configuration's protocols are written for it.
            swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        .target(
            name: "AllotCore",
            dependencies: ["AllotConfiguration", "CLibCrypto", "CSHA256Lanes", "CRE2"],
            swiftSettings: strict),
        // The core and the definitions by one import, for programs outside of this package.
        .target(
            name: "Allot", dependencies: ["AllotConfiguration", "AllotCore", "AllotDefinitions"],
            swiftSettings: strict),
        .target(
            name: "AllotDefinitions",
            dependencies: ["AllotConfiguration", "AllotCore", "AllotFiles", "AllotReports", "CLibYAML"],
            swiftSettings: strict),
        .target(name: "AllotFiles", swiftSettings: strict),
        .target(
            name: "AllotBatch",
            dependencies: ["AllotConfiguration", "AllotCore", "AllotFiles", "CByteMarks", "CZlib"],
            swiftSettings: strict),
        .target(name: "AllotGenerate", dependencies: ["AllotConfiguration", "AllotCore"], swiftSettings: strict),
        .target(
            name: "AllotStatistics", dependencies: [.server("RealModule", "swift-numerics")],
            swiftSettings: strict),
        .target(
            name: "AllotReports",
            dependencies: ["AllotConfiguration", .server("RealModule", "swift-numerics")],
            resources: [.embedInCode("style.css")], swiftSettings: strict),
        .target(
            name: "AllotAnalysis",
            dependencies: [
                "AllotBatch", "AllotConfiguration", "AllotCore", "AllotFiles", "AllotReports", "AllotStatistics",
                .server("RealModule", "swift-numerics"),
            ],
            swiftSettings: strict),
        .target(
            name: "AllotPages",
            dependencies: [
                "AllotAnalysis", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotExposures", "AllotFiles",
                "AllotGit", "AllotProofs", "AllotReports", "AllotSQL",
            ],
            swiftSettings: strict),
        .target(name: "AllotSQL", dependencies: ["AllotConfiguration", "AllotCore"], swiftSettings: strict),
        .target(
            name: "AllotGit",
            dependencies: [
                "AllotAnalysis", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotFiles", "AllotReports",
            ],
            swiftSettings: strict),
        .target(
            name: "AllotProofs",
            dependencies: [
                "AllotAnalysis", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotGit", "AllotReports",
            ],
            swiftSettings: strict),
        .target(
            name: "AllotImport",
            dependencies: [
                "AllotBatch", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotFiles", "AllotReports",
                "CLibCrypto",
            ],
            swiftSettings: strict),
        .target(
            name: "AllotSigning", dependencies: ["AllotConfiguration", "AllotFiles", "CLibCrypto"],
            swiftSettings: strict),
        .target(name: "CAllot"),
        .target(
            name: "AllotC",
            dependencies: [
                "AllotAnalysis", "AllotBatch", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotFiles",
                "AllotReports", "AllotStatistics", "CAllot",
            ],
            exclude: ["build", "python"], swiftSettings: strict),
        .executableTarget(
            name: "AllotCommand",
            dependencies: [
                "AllotAnalysis", "AllotBatch", "AllotConfiguration", "AllotCore", "AllotDefinitions",
                "AllotExposures", "AllotFiles", "AllotGenerate", "AllotGit", "AllotImport", "AllotPages",
                "AllotPostgreSQL", "AllotProofs", "AllotReports", "AllotSigning", "AllotSQL", "AllotStatistics",
                "CommandLineProgram",
                .server("ArgumentParser", "swift-argument-parser"),
            ],
            resources: [.embedInCode("completion.bash")], swiftSettings: strict),
        .executableTarget(
            name: "shop-app",
            dependencies: [
                "AllotClient", "AllotConfiguration", "AllotSigning",
                .server("ArgumentParser", "swift-argument-parser"),
                .server("HTTPTypes", "swift-http-types"),
                .server("Hummingbird", "hummingbird"),
                .server("Logging", "swift-log"),
                .server("NIOCore", "swift-nio"),
            ],
            path: "Experiments/app", swiftSettings: strict),
        .executableTarget(
            name: "first-app", dependencies: ["AllotClient"], path: "Experiments/first-app", swiftSettings: strict),
        .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "AllotExposures",
            dependencies: ["AllotConfiguration", "AllotFiles", .server("GRDB", "GRDB.swift")],
            swiftSettings: strict),
        // The one target that needs libpq.
        .target(
            name: "AllotPostgreSQL", dependencies: ["AllotConfiguration", "AllotExposures", "AllotFiles", "CLibPQ"],
            swiftSettings: strict),
        .target(
            name: "AllotServing",
            dependencies: [
                "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotExposures", "AllotFiles", "AllotSigning",
                "CDeflate",
                .server("AsyncAlgorithms", "swift-async-algorithms"),
                .server("Logging", "swift-log"),
                .server("Metrics", "swift-metrics"),
                .server("ServiceLifecycle", "swift-service-lifecycle"),
                .server("UnixSignals", "swift-service-lifecycle"),
            ],
            // Compiled in, so that a server is one file.
            resources: [.embedInCode("OpenAPI/openapi.json")], swiftSettings: strict),
        .target(
            name: "AllotServer",
            dependencies: [
                "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotExposures", "AllotFiles", "AllotServing",
                .server("AsyncAlgorithms", "swift-async-algorithms"),
                .server("CoreMetrics", "swift-metrics"),
                .server("HTTPTypes", "swift-http-types"),
                .server("Hummingbird", "hummingbird"),
                .server("HummingbirdCore", "hummingbird"),
                .server("Logging", "swift-log"),
                .server("Metrics", "swift-metrics"),
                .server("NIOCore", "swift-nio"),
                .server("NIOHPACK", "swift-nio-http2"),
                .server("NIOHTTP1", "swift-nio"),
                .server("NIOHTTP2", "swift-nio-http2"),
                .server("NIOPosix", "swift-nio"),
                .server("ServiceLifecycle", "swift-service-lifecycle"),
                .server("UnixSignals", "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // Next to AllotPages, so that the command line does not link Hummingbird.
        .target(
            name: "AllotPageRoutes",
            dependencies: [
                "AllotAnalysis", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotExposures", "AllotPages",
                "AllotReports", "AllotServer", "AllotServing",
                .server("Hummingbird", "hummingbird"),
                .server("Logging", "swift-log"),
            ],
            swiftSettings: strict),
        .target(
            name: "AllotTLS",
            dependencies: [
                "AllotFiles", "AllotServer", "AllotServing",
                .server("HummingbirdCore", "hummingbird"),
                .server("Logging", "swift-log"),
                .server("NIOCore", "swift-nio"),
                .server("NIOHTTP2", "swift-nio-http2"),
                .server("NIOSSL", "swift-nio-ssl"),
                .server("NIOTLS", "swift-nio"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "allot-server",
            dependencies: [
                "AllotConfiguration", "AllotDefinitions", "AllotExposures", "AllotPageRoutes", "AllotPostgreSQL",
                "AllotServer", "AllotServing", "AllotTLS", "CommandLineProgram",
                .server("ArgumentParser", "swift-argument-parser"),
                .server("Logging", "swift-log"),
                .server("Metrics", "swift-metrics"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "embedded-server",
            dependencies: [
                "AllotCore", "AllotServing",
                .server("Logging", "swift-log"),
                .server("NIOCore", "swift-nio"),
                .server("NIOHTTP1", "swift-nio"),
                .server("NIOPosix", "swift-nio"),
                .server("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            path: "Experiments/embedded", swiftSettings: strict),
        .executableTarget(
            name: "exposure-crash-probe", dependencies: ["AllotExposures", "AllotPostgreSQL"],
            path: "Tests/exposure-crash-probe", swiftSettings: strict),
        .testTarget(
            name: "AllotExposuresTests",
            dependencies: [
                "AllotConfiguration", "AllotExposures", "AllotPostgreSQL", "TestSupport", "exposure-crash-probe",
                .server("GRDB", "GRDB.swift"),
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "AllotServerTests",
            dependencies: [
                "AllotClient", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotExposures",
                "AllotFiles", "AllotPageRoutes", "AllotServer", "AllotServing", "AllotSigning", "AllotTLS",
                "TestSupport", "CZlib", "allot-server", "embedded-server", "shop-app",
                .server("HTTPTypes", "swift-http-types"),
                .server("Hummingbird", "hummingbird"),
                .server("HummingbirdTesting", "hummingbird"),
                .server("Logging", "swift-log"),
                .server("Metrics", "swift-metrics"),
                .server("NIOCore", "swift-nio"),
                .server("NIOEmbedded", "swift-nio"),
                .server("NIOHPACK", "swift-nio-http2"),
                .server("NIOHTTP1", "swift-nio"),
                .server("NIOHTTP2", "swift-nio-http2"),
                .server("NIOPosix", "swift-nio"),
                .server("NIOSSL", "swift-nio-ssl"),
                .server("NIOTLS", "swift-nio"),
                .server("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            exclude: ["Browser/page.html", "Browser/Pages", "ofrep"], swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["AllotConfiguration", "AllotCore", "AllotDefinitions"],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "AllotConfigurationTests", dependencies: ["AllotConfiguration", "TestSupport"],
            swiftSettings: strict),
        .executableTarget(
            name: "client-store-probe", dependencies: ["AllotClient", "AllotFiles"], path: "Tests/client-store-probe",
            swiftSettings: strict),
        .executableTarget(
            name: "client-exposure-probe", dependencies: ["AllotClient", "AllotConfiguration"],
            path: "Tests/client-exposure-probe", swiftSettings: strict),
        .testTarget(
            name: "AllotClientTests",
            dependencies: [
                "AllotClient", "AllotConfiguration", "AllotFiles", "TestSupport", "client-store-probe",
                "client-exposure-probe", "first-app", "shop-app",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ConfigurationAllotTests",
            dependencies: [
                "AllotClient", "AllotConfiguration", "ConfigurationAllot", "TestSupport",
                .configuration("Configuration"),
                .configuration("ConfigurationTesting"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AllotSigningTests",
            dependencies: ["AllotClient", "AllotConfiguration", "AllotFiles", "AllotSigning", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AllotTests", dependencies: ["AllotConfiguration", "AllotCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AllotDefinitionsTests",
            dependencies: ["AllotConfiguration", "AllotCore", "AllotDefinitions", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "AllotBatchTests",
            dependencies: [
                "AllotBatch", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotFiles", "CZlib",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AllotCTests",
            dependencies: [
                "AllotBatch", "AllotC", "AllotCommand", "AllotConfiguration", "AllotCore", "AllotDefinitions",
                "AllotFiles", "CAllot", "TestSupport",
            ],
            exclude: ["python"], swiftSettings: strict),
        .testTarget(name: "AllotFilesTests", dependencies: ["AllotFiles", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ReadmeTests",
            dependencies: [
                "Allot", "AllotClient", "AllotCommand", "AllotConfiguration", "AllotServer", "TestSupport",
                .server("Hummingbird", "hummingbird"),
                .server("HummingbirdTesting", "hummingbird"),
                .server("Logging", "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AllotStatisticsTests", dependencies: ["AllotStatistics", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "AllotAnalysisTests",
            dependencies: [
                "AllotAnalysis", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotFiles", "AllotReports",
                "AllotStatistics", "TestSupport",
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "AllotGitTests",
            dependencies: [
                "AllotAnalysis", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotGit", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AllotImportTests",
            dependencies: [
                "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotImport", "AllotReports", "AllotSQL",
                "TestSupport",
            ],
            exclude: ["Fixtures", "Vendors"], swiftSettings: strict),
        .testTarget(
            name: "AllotProofsTests",
            dependencies: ["AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotProofs", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "AllotPagesTests",
            dependencies: [
                "AllotAnalysis", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotExposures", "AllotGit",
                "AllotPages", "AllotReports", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AllotSQLTests",
            dependencies: [
                "AllotBatch", "AllotConfiguration", "AllotCore", "AllotDefinitions", "AllotFiles", "AllotSQL",
                "TestSupport",
            ],
            exclude: ["Engines", "Statements"],
            swiftSettings: strict),
        .testTarget(
            name: "AllotCommandTests",
            dependencies: [
                "AllotClient", "AllotCommand", "AllotConfiguration", "AllotExposures", "AllotSigning",
                "CommandLineProgram", "TestSupport",
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)
