import Foundation
import TestSupport

/// The definitions and users of a shop, and what an independent implementation assigned to them.
enum Shop {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/shop")
    static let users = folder.appendingPathComponent("users.csv").path
    static let instant = "2026-11-21T12:00:00Z"
    static let experiments = [
        "checkout-button", "checkout-text", "larger-basket", "next-idea", "old-layout", "semantic-search",
    ]

    /// The bytes of a file of the fixture.
    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// Runs a command with the shop's definitions at the instant of the expected results.
    static func run(_ arguments: [String], input: [UInt8]? = nil) throws -> Outcome {
        try Program.run(arguments + ["--definitions", folder.path, "--at", instant], input: input)
    }

    static func run(_ arguments: String..., input: [UInt8]? = nil) throws -> Outcome {
        try run(arguments, input: input)
    }

    /// The expected wide rows, each by column.
    static func expectedRows() throws -> [[String: String]] {
        let table = CSVTable(try bytes("expected-wide.csv"))
        return table.rows.map { Dictionary(uniqueKeysWithValues: zip(table.header, $0)) }
    }

    /// The attribute by which an experiment assigns.
    static func unit(of experiment: String) -> String {
        experiment == "semantic-search" ? "org_id" : "user_id"
    }
}
