import Allot

/// Versions as text that sorts by bytes as they sort: each number behind its count of digits, which is raised to nine
/// digits.
enum VersionKey {
    /// Added to a count of digits, so that it has as many as all others.
    static let lengthBase = 100_000_000

    /// The key of major, minor and patch, and the pre-release identifiers, of a version that is known to be one.
    static func parts(of version: String) -> (core: String, identifiers: [String]) {
        var text = Substring(version)
        if text.hasPrefix("v") { text = text.dropFirst() }
        text = text.prefix { $0 != "+" }
        let numbers = text.prefix { $0 != "-" }.split(separator: ".").map(String.init)
        let padded = numbers + Array(repeating: "0", count: 3 - numbers.count)
        let core = padded.map { "\(lengthBase + $0.utf8.count)\($0)" }.joined()
        guard let dash = text.firstIndex(of: "-") else { return (core, []) }
        return (core, text[text.index(after: dash)...].split(separator: ".").map(String.init))
    }
}

/// Comparisons of a version with a literal by precedence (semver.org, section 11).
struct VersionTest {
    let syntax: any SQLSyntax
    let core: String
    let preRelease: String
    let literal: String

    /// Whether the version stands in an order to the literal.
    func condition(_ ordering: Condition.Ordering) -> SQLCondition {
        let parts = VersionKey.parts(of: literal)
        let text = parts.identifiers.joined(separator: ".")
        func test(_ symbol: String) -> SQLCondition { .test("\(core) \(symbol) '\(parts.core)' /* \(literal) */") }
        let equal = SQLCondition.joined([test("="), .test("\(preRelease) = '\(text)'")])
        let less = SQLCondition.either([test("<"), .joined([test("="), isBefore(parts.identifiers)])])
        // Nothing is behind a version without a pre-release but a greater core.
        let greater =
            parts.identifiers.isEmpty
            ? test(">")
            : .either([
                test(">"), .joined([test("="), isBefore(parts.identifiers).negated, equal.negated]),
            ])
        switch ordering {
        case .equal: return equal
        case .less: return less
        case .lessOrEqual: return .either([less, equal])
        case .greater: return greater
        case .greaterOrEqual: return .either([greater, equal])
        }
    }

    /// Whether the pre-release comes before that of identifiers; a version with one comes before the version without.
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

    /// Numbers come before words, and the end before everything: an identifier that is missing is empty, without a
    /// letter, and shorter than any number.
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
