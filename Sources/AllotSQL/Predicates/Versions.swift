import AllotCore

extension Columns {
    mutating func version(
        _ ordering: Condition.Ordering, _ literal: String, _ attribute: String
    ) throws(Unsupported) -> SQLCondition {
        let (core, preRelease) = try self.version(attribute)
        return VersionTest(syntax: syntax, core: core, preRelease: preRelease, literal: literal).condition(ordering)
    }

    /// The columns of a version: its numbers as one text that sorts, and the pre-release; NULL if its text is not one.
    private mutating func version(_ attribute: String) throws(Unsupported) -> (core: String, preRelease: String) {
        let text = try self.text(attribute, as: .version)
        let version = name("version_", attribute)
        stages.readings.add(version, "CASE WHEN \(syntax.matchesWholly(text, PlainPattern.version)) THEN \(text) END")
        let numbers = name("numbers_", attribute)
        stages.digests.add(numbers, syntax.divided(syntax.group(version, PlainPattern.numbers)))
        let keys = (1...Version.maximumNumberCount).flatMap { position in
            let number = "COALESCE(NULLIF(\(syntax.identifier(ofDivided: numbers, position)), ''), '0')"
            return [syntax.asText("\(VersionKey.lengthBase) + \(syntax.characterCount(number))"), number]
        }
        let preRelease = name("prerelease_", attribute)
        stages.digests.add(
            preRelease, "CASE WHEN \(version) IS NOT NULL THEN \(syntax.group(version, PlainPattern.preRelease)) END")
        let core = name("core_", attribute)
        stages.buckets.add(core, "CASE WHEN \(version) IS NOT NULL THEN \(syntax.concatenated(keys)) END")
        return (core, preRelease)
    }
}

/// Versions as text in their order: each number follows its count of digits, which has nine digits.
private enum VersionKey {
    /// A number to add to a count of digits, so that all counts have nine digits.
    static let lengthBase = 100_000_000

    /// The key of the numbers, and the pre-release identifiers, of a valid version.
    static func parts(of version: String) -> (core: String, identifiers: [String]) {
        var text = Substring(version)
        if text.hasPrefix("v") { text = text.dropFirst() }
        text = text.prefix { $0 != "+" }
        let numbers = text.prefix { $0 != "-" }.split(separator: ".").map(String.init)
        let padded = numbers + Array(repeating: "0", count: Version.maximumNumberCount - numbers.count)
        let core = padded.map { "\(lengthBase + $0.utf8.count)\($0)" }.joined()
        guard let dash = text.firstIndex(of: "-") else { return (core, []) }
        return (core, text[text.index(after: dash)...].split(separator: ".").map(String.init))
    }
}

/// Comparisons of a version with a literal by precedence (Semantic Versioning 2.0, section 11).
private struct VersionTest {
    let syntax: any SQLSyntax
    let core: String
    let preRelease: String
    let literal: String

    func condition(_ ordering: Condition.Ordering) -> SQLCondition {
        let parts = VersionKey.parts(of: literal)
        let text = parts.identifiers.joined(separator: ".")
        func test(_ symbol: String) -> SQLCondition { .test("\(core) \(symbol) '\(parts.core)' /* \(literal) */") }
        let equal = SQLCondition.joined([test("="), .test("\(preRelease) = '\(text)'")])
        let less = SQLCondition.either([test("<"), .joined([test("="), isBefore(parts.identifiers)])])
        // Only a greater core is greater than a version without a pre-release.
        let greater =
            parts.identifiers.isEmpty
            ? test(">")
            : .either([test(">"), .joined([test("="), isBefore(parts.identifiers).negated, equal.negated])])
        switch ordering {
        case .equal: return equal
        case .less: return less
        case .lessOrEqual: return .either([less, equal])
        case .greater: return greater
        case .greaterOrEqual: return .either([greater, equal])
        }
    }

    /// Whether the pre-release precedes the one of these identifiers. Any precedes the version without one.
    private func isBefore(_ identifiers: [String]) -> SQLCondition {
        guard !identifiers.isEmpty else { return .test("\(preRelease) <> ''") }
        var condition = SQLCondition.never
        for (index, identifier) in identifiers.enumerated().reversed() {
            let own = syntax.identifier(preRelease, index + 1)
            condition = .either([
                isIdentifier(own, before: identifier), .joined([.test("\(own) = '\(identifier)'"), condition]),
            ])
        }
        return .joined([.test("\(preRelease) <> ''"), condition])
    }

    /// Whether an identifier precedes another: numbers precede words, and a missing one, which is empty, is first.
    private func isIdentifier(_ own: String, before identifier: String) -> SQLCondition {
        let isNumberOrMissing = SQLCondition.test("\(syntax.translated(own, from: "'0123456789'", to: "''")) = ''")
        guard identifier.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
            return .either([isNumberOrMissing, .test("\(own) < '\(identifier)'")])
        }
        let (length, count) = (syntax.characterCount(own), identifier.utf8.count)
        return .joined([
            isNumberOrMissing,
            .either([
                .test("\(length) < \(count)"),
                .joined([.test("\(length) = \(count)"), .test("\(own) < '\(identifier)'")]),
            ]),
        ])
    }
}
