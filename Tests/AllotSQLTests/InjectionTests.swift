import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotSQL
import Foundation
import Synchronization
import Testing

/// Texts of definitions and command lines never change the structure of a statement.
struct InjectionTests {
    /// The number of random texts. Without it there are few, and the fixed texts are the essential ones.
    private static let randomTexts = ProcessInfo.processInfo.environment["ALLOT_RANDOM_TEXTS"].flatMap { Int($0) }

    /// Texts that stand in literals: audiences, groups and forced units.
    @Test("No text can leave its literal", arguments: Dialect.allCases)
    func literals(dialect: Dialect) throws {
        try compare(Self.texts, dialect) { text in
            let plan = try plan(
                of: text, "literals",
                [
                    "audience": [
                        "a": .string(text), "b": ["$in": [.string(text)]], "c": ["$startsWith": .string(text)],
                        "d": ["$contains": .string(text)], "e": ["$endsWith": .string(text)],
                        "f": ["$gt": .string(text)], "g": ["$ne": .string(text)], "h": ["$inGroup": "group"],
                    ],
                    "forced": .object([text: "green"]),
                ], segments: ["group": [.string(text)]])
            return try WarehouseStatement(dialect: dialect).text(for: plan)
        } isRefusable: { text in
            [.postgresql, .redshift].contains(dialect) && text.unicodeScalars.contains("\0")
        }
    }

    /// Texts that are folded to compare in any case: the list's changes, but stays a list of literals.
    @Test("No text can leave its literal if case is ignored", arguments: Dialect.allCases)
    func foldedLiterals(dialect: Dialect) throws {
        for text in Self.texts {
            let plan = try plan(of: text, "folded", ["audience": ["a": ["$ini": [.string(text)]]]])
            let statement = WarehouseStatement(dialect: dialect)
            guard let written = try? statement.text(for: plan) else {
                #expect(text.unicodeScalars.contains("\0"))
                continue
            }
            let tokens = try SQLLexer.tokens(of: written, in: dialect).folded
            let folded = text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : nil
            #expect(folded.map { tokens.contains(.text($0)) } ?? true, "\(text.debugDescription)")
            #expect(Self.shape(tokens).filter { Self.isCode($0) }.count > 100)
        }
    }

    /// The names of attributes and units, which are those of columns.
    @Test("No name of an attribute can leave its quotes", arguments: Dialect.allCases)
    func attributes(dialect: Dialect) throws {
        try compare(Self.texts, dialect) { text in
            let plan = try plan(of: text, "names", ["audience": .object([text: "DE"]), "unit": .string(text)])
            return try WarehouseStatement(dialect: dialect).text(for: plan)
        } isRefusable: { text in
            isRefusableName(text, in: dialect) || text.unicodeScalars.contains(".")
        } named: { text in
            // What needs no quotes is folded as it would be without them.
            func isPlain(_ byte: UInt8) -> Bool {
                (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F
            }
            let isASCII = text.utf8.allSatisfy(isPlain)
            return switch dialect {
            case .snowflake where isASCII: text.uppercased()
            case .redshift where isASCII: text.lowercased()
            case .postgresql where text.utf8.allSatisfy { isPlain($0) || $0 >= 0x80 }:
                String(decoding: text.utf8.map { $0 &- 0x41 < 26 ? $0 + 0x20 : $0 }, as: UTF8.self)
            default: text
            }
        }
    }

    /// The names of columns that are mapped to an attribute, of tables, and of what is created.
    @Test("No name of a table or column can leave its quotes", arguments: Dialect.allCases, Creation.Kind.allCases)
    func names(dialect: Dialect, kind: Creation.Kind) throws {
        let plan = try TestDefinitions.plan(["one": ["audience": ["country": "DE"]]])
        func statement(_ text: String) throws -> String {
            let exact = Self.quoted(text)
            var statement = WarehouseStatement(dialect: dialect)
            statement.columns = [ColumnMapping(attribute: "country", column: exact)]
            statement.table = "schema." + exact
            statement.creation = Creation(kind, name: exact + "." + exact)
            statement.layout = kind == .function ? .long : .wide
            return try statement.text(for: plan)
        }
        // Some have no functions, and ClickHouse's parameters have plain names.
        guard (try? statement(Self.marker)) != nil else {
            #expect(kind == .function)
            #expect([Dialect.clickhouse, .trino, .redshift].contains(dialect))
            return
        }
        // Without random texts each kind takes a third of the texts.
        let kinds = Creation.Kind.allCases
        let position = try #require(kinds.firstIndex(of: kind))
        let texts = Self.texts.enumerated().filter {
            Self.randomTexts != nil || $0.offset % kinds.count == position
        }.map(\.element)
        try compare(texts, dialect, statement) { text in
            isRefusableName(text, in: dialect)
                || dialect == .snowflake && kind == .function && text.utf8.contains("$$".utf8)
        }
    }

    // MARK: Comparison

    private static let marker = "no harm"

    private static let texts: [String] =
        (randomTexts == nil ? HostileStrings.essentials : HostileStrings.classics)
        + (1...max(1, randomTexts ?? 5)).map { seed in
            var strings = HostileStrings(seed: seed)
            return strings.next()
        } + ["\0", "a\0b", String(repeating: "'\\\n", count: 340), String(repeating: "\"`", count: 500)]

    /// The plans, or why there is none, by test and text: each is made once for all dialects.
    private static let plans = Mutex<[[UTF8Key]: Result<Plan, any Error>]>([:])

    /// The plan of one experiment with a text in it.
    private func plan(
        of text: String, _ test: String, _ experiment: JSONObject, segments: JSONObject? = nil
    ) throws -> Plan {
        let key = [UTF8Key(test), UTF8Key(text)]
        if let known = Self.plans.withLock({ $0[key] }) { return try known.get() }
        let made = Result { try TestDefinitions.plan(["one": experiment], segments: segments) }
        Self.plans.withLock { $0[key] = made }
        return try made.get()
    }

    private func isRefusableName(_ text: String, in dialect: Dialect) -> Bool {
        let isHidden = text.unicodeScalars.contains { scalar in
            [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
                || scalar.properties.isBidiControl
        }
        let hasMark = ["{{", "{%", "{#"].contains { text.utf8.contains($0.utf8) }
        return switch dialect {
        case _ where hasMark: true
        case .bigquery: isHidden || text.utf8.contains("`".utf8) || text.utf8.contains("\\".utf8)
        case .spark: isHidden || text.utf8.contains("${".utf8)
        default: isHidden
        }
    }

    /// Expects of each text either the statement of a harmless one with other literals or names, or a reason why not.
    private func compare(
        _ texts: [String], _ dialect: Dialect, _ statement: (String) throws -> String, isRefusable: (String) -> Bool,
        named name: (String) -> String = { $0 }
    ) throws {
        let harmless = try Self.shape(SQLLexer.tokens(of: statement(Self.marker), in: dialect).folded)
        #expect(harmless.contains(.text(Self.marker)) || harmless.contains(.name(Self.marker)))
        var compared = 0
        for text in texts {
            do {
                let written = try statement(text)
                let tokens = try Self.shape(SQLLexer.tokens(of: written, in: dialect).folded)
                let expected = harmless.map { token -> SQLToken in
                    switch token {
                    case .text(Self.marker): .text(text)
                    case .name(Self.marker): .name(name(text))
                    default: token
                    }
                }
                let areEqual = tokens.count == expected.count && zip(tokens, expected).allSatisfy(Self.areEqual)
                #expect(areEqual, "\(text.debugDescription): \(Self.difference(tokens, expected))")
                compared += 1
            } catch let error as SQLTranslationError {
                #expect(isRefusable(text), "\(text.debugDescription): \(error)")
                let isNamed =
                    error.description.contains("\(QuotedText(text))") || error.description.contains("U+0000")
                    || error.description.contains("$$")
                #expect(isNamed, "\(text.debugDescription): \(error)")
            } catch is DefinitionsError {
                // Then no experiment can assign by it; most are none.
            }
        }
        #expect(compared > texts.count / 3)
    }

    /// A name in quotes.
    private static func quoted(_ name: String) -> String {
        "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    /// Tokens without what differs for good reasons: numbers (lengths of literals), names of steps, and revisions.
    private static func shape(_ tokens: [SQLToken]) -> [SQLToken] {
        var steps: [String: Int] = [:]
        return tokens.map { token in
            switch token {
            case .word(let word) where word.hasPrefix("allot_"):
                let number = steps[word] ?? steps.count
                steps[word] = number
                return .word("allot_\(number)")
            case .word(let word) where word.utf8.allSatisfy { $0 &- 0x30 < 10 }: return .word("0")
            // They have the names of columns and tables, which end no line.
            case .comment(let comment) where comment.hasPrefix("   ") || comment.hasPrefix(" The statement reads "):
                return .comment("NAMES")
            case .comment(let comment):
                let words = comment.split(separator: " ", omittingEmptySubsequences: false)
                return .comment(words.map { namesRevision($0) ? "REVISION" : $0 }.joined(separator: " "))
            case .text(let text) where text.utf8.count == 16 && namesRevision(text[...]): return .text("REVISION")
            default: return token
            }
        }
    }

    private static func namesRevision(_ word: Substring) -> Bool {
        word.utf8.split { $0 &- 0x30 >= 10 && $0 &- 0x61 >= 6 }.contains { $0.count == 16 }
    }

    private static func isCode(_ token: SQLToken) -> Bool {
        if case .comment = token { false } else { true }
    }

    /// Equality by bytes, where `String` compares what looks the same.
    private static func areEqual(_ one: SQLToken, _ other: SQLToken) -> Bool {
        switch (one, other) {
        case (.text(let one), .text(let other)), (.name(let one), .name(let other)):
            one.utf8.elementsEqual(other.utf8)
        default: one == other
        }
    }

    private static func difference(_ tokens: [SQLToken], _ expected: [SQLToken]) -> String {
        let index = zip(tokens, expected).enumerated().first { !areEqual($0.element.0, $0.element.1) }?.offset ?? 0
        return "\(tokens.dropFirst(max(0, index - 3)).prefix(8)) instead of "
            + "\(expected.dropFirst(max(0, index - 3)).prefix(8))"
    }
}
