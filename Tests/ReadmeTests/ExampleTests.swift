import Foundation
import TestSupport
import Testing

/// The examples of doc comments and articles compile as a user of the package would write them.
@Suite(.blocks) struct ExampleTests {
    private static let examples = (Document.sources + Document.articles).flatMap(Example.all(in:))

    private static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { URL(fileURLWithPath: "\($0)/swiftc") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

    /// The folder of the build's products.
    private static func products() throws -> URL {
        try BuiltProgram("allot").url.deletingLastPathComponent()
    }

    /// The module maps of C targets that the build used, as its manifest names them.
    private static func moduleMaps() throws -> [String] {
        let products = try products().resolvingSymlinksInPath()
        let manifest = products.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("\(products.lastPathComponent).yaml")
        let flags = try String(contentsOf: manifest, encoding: .utf8).components(separatedBy: "-fmodule-map-file=")
        return Set(flags.dropFirst().map { String($0.prefix { $0 != "\"" }) }).sorted()
            .filter(FileManager.default.fileExists(atPath:))
    }

    @Test("The types that people meet first have examples")
    func examplesAreFound() {
        #expect(Self.examples.count >= 70)
        #expect(Self.examples.count { $0.path.hasSuffix(".md") } >= 5)
    }

    @Test(
        "Every example in a doc comment or an article compiles, without access to the package",
        .enabled(if: compiler != nil, "there is no swiftc in the PATH"))
    func examplesCompile() throws {
        let folder = try TemporaryFolder()
        var files: [String] = []
        for (number, example) in Self.examples.enumerated() {
            files.append(try folder.write(example.file(number: number), to: "Example\(number).swift"))
        }
        let modules = try Self.products().appendingPathComponent("Modules").path
        let outcome = try Outcome(
            of: try #require(Self.compiler),
            [
                "-typecheck", "-parse-as-library", "-swift-version", "6", "-suppress-warnings", "-module-name",
                "Examples", "-whole-module-optimization",
            ]
                + ["-I", modules] + (try Self.moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }) + files,
            in: Document.root)
        let errors = outcome.errorLines.filter { $0.contains("error:") }
        #expect(outcome.status == 0, "\(errors.joined(separator: "\n"))")
    }
}
