import AllotConfiguration
import AllotCore

/// How a version stands to the literal of a condition.
enum VersionOrder: CaseIterable {
    case less, equal, greater
}

/// A version of numbers and dots alone, where missing numbers are 0. Patterns express its order, because numbers may
/// begin with zeros and be many, which operators for versions do not take.
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

    /// The condition that an attribute is a version in one of the orders to this one. `rest` is the pattern of what may
    /// follow the first number that differs, `end` of what may follow the last number if none does.
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

enum NumberPattern {
    static func equal(to number: String) -> String {
        let digits = number.drop { $0 == "0" }
        return digits.isEmpty ? "0+" : "0*\(digits)"
    }

    /// The pattern of numbers that are these, with dots between them.
    static func equal(toAll numbers: some Sequence<String>) -> String {
        numbers.map(equal(to:)).joined(separator: "\\.")
    }

    /// Patterns of which one matches numbers with dots that first differ from these in one of them.
    static func differing(_ numbers: [String], _ number: (String) -> String?, rest: (Int) -> String) -> [String] {
        numbers.indices.compactMap { index in
            number(numbers[index]).map { numbers[..<index].map { equal(to: $0) + "\\." }.joined() + $0 + rest(index) }
        }
    }

    static func above(_ number: String) -> String {
        let digits = Array(number.drop { $0 == "0" })
        var alternatives = ["[1-9][0-9]{\(digits.count),}"]
        for (index, digit) in digits.enumerated() where digit != "9" {
            alternatives.append(String(digits[..<index]) + range(after: digit) + rest(digits.count - index - 1))
        }
        return "0*(\(alternatives.joined(separator: "|")))"
    }

    /// That of a smaller number; `nil` for 0, which has none.
    static func below(_ number: String) -> String? {
        let digits = Array(number.drop { $0 == "0" })
        guard !digits.isEmpty else { return nil }
        var alternatives = digits.count > 1 ? ["[0-9]{1,\(digits.count - 1)}"] : []
        for (index, digit) in digits.enumerated() where digit != "0" {
            alternatives.append(String(digits[..<index]) + range(before: digit) + rest(digits.count - index - 1))
        }
        return "0*(\(alternatives.joined(separator: "|")))"
    }

    private static func range(after digit: Character) -> String {
        digit == "8" ? "9" : "[\(Int(String(digit)).map { $0 + 1 } ?? 9)-9]"
    }

    private static func range(before digit: Character) -> String {
        digit == "1" ? "0" : "[0-\(Int(String(digit)).map { $0 - 1 } ?? 0)]"
    }

    private static func rest(_ count: Int) -> String { count == 0 ? "" : "[0-9]{\(count)}" }
}
