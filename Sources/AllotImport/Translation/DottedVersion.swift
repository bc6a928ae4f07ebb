import AllotConfiguration
import AllotCore

/// How a version stands to the literal of a condition.
enum VersionOrder: CaseIterable {
    case less, equal, greater
}

/// A version that is numbers with dots and nothing else, in the order that SDKs have for these: missing numbers are 0.
///
/// The texts that it is compared with may have any number of numbers, which may begin with zeros. Patterns express all
/// of this, and operators for versions would not.
struct DottedVersion {
    /// The numbers up to the last one that is not 0, and at least one.
    private let numbers: [String]

    init(_ text: String, at node: PayloadNode) throws(ImportProblem) {
        var numbers = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard numbers.count <= Version.maximumNumberCount,
            numbers.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) && UInt64($0) != nil })
        else { throw node.problem("\(QuotedText(text)) is not a version of up to six numbers") }
        while numbers.count > 1, UInt64(numbers[numbers.count - 1]) == 0 { numbers.removeLast() }
        self.numbers = numbers
    }

    /// The condition that an attribute is a version which stands in one of the orders to this one.
    ///
    /// - Parameters:
    ///   - rest: the pattern of what may follow the first number that differs.
    ///   - end: the pattern of what may follow the last number, if none differs.
    func condition(on attribute: String, _ orders: Set<VersionOrder>, rest: String, end: String) -> Guard {
        let patterns = patterns(orders, rest: rest, end: end)
        // No version is below 0.
        return patterns.isEmpty ? .never : .condition([attribute: ["$regex": .strings(patterns)]])
    }

    func patterns(_ orders: Set<VersionOrder>, rest: String, end: String) -> [String] {
        let all = NumberPattern.equal(toAll: numbers)
        return VersionOrder.allCases.filter(orders.contains).flatMap { order in
            switch order {
            case .less:
                NumberPattern.differing(numbers, NumberPattern.below) { _ in rest }
                    + (1..<numbers.count).map { NumberPattern.equal(toAll: numbers.prefix($0)) + end }
            case .equal: [all + "(\\.0+)*" + end]
            case .greater:
                // The next character always decides, as engines that backtrack need it.
                NumberPattern.differing(numbers, NumberPattern.above) { _ in rest }
                    + [all + "\\.(0\\.?)*[1-9][0-9]*" + rest]
            }
        }.map { "^" + $0 }
    }
}

/// Versions as Semantic Versioning 2.0 writes them: three numbers and no "v". Allot's own reading allows more.
enum StrictVersion {
    /// The pattern that Allot's versions must match in addition. Engines give up at numbers of 20 digits.
    static let pattern = "^[0-9]{1,19}\\.[0-9]{1,19}\\.[0-9]{1,19}([-+]|$)"

    static func isWithoutBuild(_ text: String) -> Bool? {
        guard Version(Array(text.utf8).span) != nil,
            let strict = try? RegularExpression(pattern, ignoresCase: false), strict.matches(text)
        else { return nil }
        return !text.contains("+")
    }
}

extension PayloadNode {
    /// Limits a version that becomes patterns, whose size grows with the square of its length.
    func checkLength(ofVersion text: String) throws(ImportProblem) {
        guard text.utf8.count > 256 else { return }
        throw problem("a version has at most 256 bytes, and this one has \(text.utf8.count)")
    }
}
