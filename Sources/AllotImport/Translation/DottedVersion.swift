import AllotConfiguration
import AllotCore

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
        let all = numbers.map(NumberPattern.equal)
        func differing(_ number: (String) -> String?) -> [String] {
            numbers.indices.compactMap { index in
                number(numbers[index]).map { all[..<index].map { $0 + "\\." }.joined() + $0 + rest }
            }
        }
        func first(_ count: Int) -> String { all.prefix(count).joined(separator: "\\.") }
        return VersionOrder.allCases.filter(orders.contains).flatMap { order in
            switch order {
            case .less: differing(NumberPattern.below) + (1..<all.count).map { first($0) + end }
            case .equal: [first(all.count) + "(\\.0+)*" + end]
            case .greater:
                // The next character always decides, as engines that backtrack need it.
                differing(NumberPattern.above) + [first(all.count) + "\\.(0\\.?)*[1-9][0-9]*" + rest]
            }
        }.map { "^" + $0 }
    }
}
