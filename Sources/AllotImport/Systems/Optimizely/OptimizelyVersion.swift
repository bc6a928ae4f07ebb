import AllotConfiguration

/// A version in a condition of Optimizely: only as many numbers count as the literal has, so that 2.0 equals 2.0.5; one
/// with fewer numbers precedes; pre-releases compare as texts; numbers may begin with zeros. Patterns say this exactly.
struct OptimizelyVersion {
    private let numbers: [String]
    private let preRelease: String?

    /// Whether the pre-release is a number, which is compared as such.
    var hasNumericPreRelease: Bool { preRelease.map { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) } ?? false }

    init?(_ text: String) {
        guard !text.contains(" ") else { return nil }
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        preRelease = parts.count > 1 ? String(parts[1]) : nil
        guard preRelease?.unicodeScalars.allSatisfy({ $0.value > 0x20 }) ?? true else { return nil }
        guard numbers.count <= 3, numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
            return nil
        }
    }

    func patterns(_ orders: Set<VersionOrder>) -> [String] {
        VersionOrder.allCases.filter(orders.contains).flatMap { order in
            switch order {
            case .greater: greater
            case .equal: equal
            case .less: less
            }
        }.map { "^\($0)$" }
    }

    /// A difference at one of the numbers, and whatever follows.
    private func differing(_ number: (String) -> String?) -> [String] {
        NumberPattern.differing(numbers, number) { "(\\.[0-9]+){0,\(2 - $0)}([-+][^ ]*)?" }
    }

    private var sameNumbers: String { NumberPattern.equal(toAll: numbers) + "(\\.[0-9]+){0,\(3 - numbers.count)}" }
    private var shorter: [String] { (1..<max(1, numbers.count)).map { NumberPattern.equal(toAll: numbers.prefix($0)) } }

    private var greater: [String] {
        let differing = differing(NumberPattern.above)
        guard let preRelease else { return differing }
        return differing + shorter + [sameNumbers + "(\\+[^ ]*)?"]
            + Self.texts(above: preRelease).map { "\(sameNumbers)-\($0)" }
    }

    private var equal: [String] {
        [sameNumbers + (preRelease.map { "-" + ImportedPattern.quoted($0) } ?? "(\\+[^ ]*)?")]
    }

    private var less: [String] {
        let differing = differing(NumberPattern.below)
        guard let preRelease else {
            return differing + shorter.map { $0 + "(-([^ ]*[^0-9 ][^ ]*)?)?" } + [sameNumbers + "-[^ ]*"]
        }
        return differing + Self.texts(below: preRelease).map { "\(sameNumbers)-\($0)" }
    }

    /// Patterns of the texts that sort after a text, by their characters' numbers.
    private static func texts(above text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.map { index in
            prefix(scalars, index) + "[\(code(scalars[index].value + 1))-\\x{10FFFF}][^ ]*"
        } + [ImportedPattern.quoted(text) + "[^ ]+"]
    }

    private static func texts(below text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.flatMap { index in
            [prefix(scalars, index), prefix(scalars, index) + "[\(below(scalars[index].value))][^ ]*"]
        }
    }

    /// The characters before one, without the space, which no version has.
    private static func below(_ value: UInt32) -> String {
        value <= 0x21 ? "\\x{0}-\(code(min(value, 0x20) - 1))" : "\\x{0}-\\x{1F}\\x{21}-\(code(value - 1))"
    }

    private static func prefix(_ scalars: [Unicode.Scalar], _ count: Int) -> String {
        ImportedPattern.quoted(String(String.UnicodeScalarView(scalars.prefix(count))))
    }

    private static func code(_ value: UInt32) -> String { "\\x{\(String(value, radix: 16, uppercase: true))}" }
}
