import Foundation
import TestSupport

/// Users in an engine and in a CSV file, and definitions that are tried on both.
final class EqualityTrial {
    private let engine: Engine
    private let folder: TemporaryFolder
    private let program: BuiltProgram

    init(_ engine: Engine) throws {
        self.engine = engine
        folder = try TemporaryFolder()
        program = try BuiltProgram("allot")
    }

    /// Makes the table `users` and the file.
    func load(_ users: HostileUsers) throws {
        try folder.write(users.csv, to: "users.csv")
        try engine.load("users", from: folder.write(users.jsonLines, to: "users.jsonl"))
    }

    /// How the engine's answer differs from that of `allot assign`, in words; `nil` if it does not.
    ///
    /// The definitions are kept where they make a difference.
    func difference(of random: RandomFolder, seed: Int, layout: String) throws -> String? {
        let definitions = URL(filePath: NSTemporaryDirectory()).appending(
            path: "allot-sql-\(engine.name.rawValue)-\(seed)-\(UUID().uuidString.prefix(8))"
        ).path
        try random.write(to: definitions)
        let difference: String?
        do {
            difference = try self.difference(of: definitions, layout: layout)
        } catch {
            difference = "\(error)"
        }
        guard let difference else {
            try FileManager.default.removeItem(atPath: definitions)
            return nil
        }
        try? FileManager.default.copyItem(atPath: folder.path("users.csv"), toPath: definitions + "/users.csv")
        return "\(engine.name.rawValue), seed \(seed), \(layout), \(definitions) (with users.csv): \(difference)"
    }

    private func difference(of definitions: String, layout: String) throws -> String? {
        var options = ["--definitions", definitions, "--at", RandomFolder.instant, "--layout", layout]
        if engine.name == .postgresql, layout == "wide" {
            options += try keys(in: definitions).filter { $0.utf8.count <= 63 }.flatMap { ["--experiment", $0] }
        }
        let expected = folder.path("expected.csv")
        try run(
            ["assign", folder.path("users.csv"), "-o", expected] + options + (layout == "long" ? ["--all"] : []))
        let statement = try run(["sql", "--dialect", engine.name.rawValue] + options)
        let comparison = try engine.compare(statement, with: expected)
        if comparison.isEqual { return nil }
        let counts =
            "\(comparison.missing) rows are missing and \(comparison.unexpected) unexpected of \(comparison.rows)"
        return ([counts] + comparison.examples).joined(separator: "\n  ")
    }

    /// The keys of the experiments of a folder.
    private func keys(in definitions: String) throws -> [String] {
        let others = ["base", "layers", "holdouts", "segments"]
        return try FileManager.default.contentsOfDirectory(atPath: definitions)
            .map { ($0 as NSString).deletingPathExtension }.filter { !others.contains($0) }
    }

    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        let outcome = try Outcome(of: program.url, arguments)
        guard outcome.status == 0 else {
            throw Engine.Failure(
                description: "allot \(arguments.joined(separator: " ")) ends with \(outcome.status): \(outcome.errors)")
        }
        return outcome.text
    }
}
