import AllotConfiguration
import AllotCore
import AllotSQL
import Testing

@testable import AllotImport

/// Versions of numbers with dots, which become patterns.
struct DottedVersionTests {
    /// The order of a text to a version; `nil` if the text is not a version.
    private func order(of text: String, to version: String) -> VersionOrder? {
        let left = text.split(separator: ".", omittingEmptySubsequences: false)
        let right = version.split(separator: ".")
        guard left.allSatisfy({ !$0.isEmpty }) else { return nil }
        for index in 0..<max(left.count, right.count) {
            let numbers = [left, right].map { index < $0.count ? Int($0[index]) ?? 0 : 0 }
            if numbers[0] != numbers[1] { return numbers[0] < numbers[1] ? .less : .greater }
        }
        return .equal
    }

    @Test("Patterns match exactly the versions of an order", arguments: ["0", "1", "1.0.1", "0.1", "10.01"])
    func matchesVersionsOfOneOrder(version: String) throws {
        var texts = [""]
        var all = texts
        for _ in 0..<7 {
            texts = texts.flatMap { text in [".", "0", "1"].map { text + $0 } }
            all += texts
        }
        for wanted in VersionOrder.allCases {
            let patterns = try DottedVersion(version, at: PayloadNode(.string(version)))
                .patterns([wanted], rest: "(\\.[0-9]+)*$", end: "$")
            let expressions = try patterns.map { try RegularExpression($0, ignoresCase: false) }
            let wrong = all.filter { text in
                let isMatched = expressions.contains { $0.matches(text) }
                return isMatched != (order(of: text, to: version) == wanted)
            }
            #expect(wrong == [], "\(wanted)")
        }
    }

    @Test("No version is below 0")
    func nothingIsBelowZero() throws {
        let version = try DottedVersion("0.0", at: PayloadNode("0.0"))
        guard case .never = version.condition(on: "build", [.less], rest: "$", end: "$") else {
            Issue.record("some version is below 0")
            return
        }
    }

    /// Their engines backtrack.
    @Test("Imported conditions on versions can be written for Spark and Trino", arguments: [Dialect.spark, .trino])
    func becomesSQL(dialect: Dialect) throws {
        func check(_ system: ImportSystem, _ payload: String) throws {
            let plan = try ImportCase.definitions(system, payload).loaded.plan
            #expect(throws: Never.self, "\(payload)") { try WarehouseStatement(dialect: dialect).text(for: plan) }
        }
        for version in ["0", "2", "1.2", "10.0.37.5"] {
            for name in ["gt", "gte", "lt", "lte", "eq", "neq"] {
                let condition =
                    #"{"type": "user_field", "field": "build", "operator": "version_\#(name)", "#
                    + #""targetValue": "\#(version)"}"#
                try check(.statsig, StatsigTests.gate(condition))
            }
            for name in ["GREATER_THAN", "GREATER_EQUAL", "LESS_THAN", "LESS_EQUAL", "EQUAL", "NOT_EQUAL"] {
                try check(.firebase, FirebaseTests.signal("SEMANTIC_VERSION_\(name)", "[\"\(version)\"]"))
            }
        }
    }
}
