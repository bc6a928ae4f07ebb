import AllotConfiguration
import AllotCore

/// A version that `sem_ver` compares with: Semantic Versioning, with "v" and with numbers left out.
struct FlagdVersion {
    private let text: String
    private let numbers: [Int]

    init?(_ literal: JSONValue) {
        var text: String
        switch literal {
        case .string(let string): text = string
        case .number(let number): text = number.text
        default: return nil
        }
        if text.hasPrefix("v") || text.hasPrefix("V") { text.removeFirst() }
        guard !text.hasPrefix("v"), let version = Version(Array(text.utf8).span), version.numberCount <= 3 else {
            return nil
        }
        self.text = text
        let core = text.prefix { $0 != "-" && $0 != "+" }
        var numbers = core.split(separator: ".").compactMap { Int($0) }
        guard numbers.count == version.numberCount, numbers.allSatisfy({ $0 < Int.max }) else { return nil }
        while numbers.count < 3 { numbers.append(0) }
        self.numbers = numbers
    }

    /// The condition that an attribute is a version for flagd; Allot's versions may have more numbers.
    func isVersion(_ attribute: String) -> JSONValue {
        .test(attribute, ["$vgte": "0.0.0-0", "$regex": "^v?[0-9]+(\\.[0-9]+){0,2}([-+]|$)"])
    }

    private static let operators = ["=": "$veq", "!=": "$vne", "<": "$vlt", "<=": "$vlte", ">": "$vgt", ">=": "$vgte"]

    func test(_ attribute: String, _ name: String) -> JSONValue? {
        // A pre-release of the next number is the first version that has it.
        func between(_ lower: String, _ upper: String) -> JSONValue {
            .test(attribute, ["$vgte": .string(lower + ".0-0"), "$vlt": .string(upper + ".0-0")])
        }
        return switch name {
        case "^": between("\(numbers[0]).0", "\(numbers[0] + 1).0")
        case "~": between("\(numbers[0]).\(numbers[1])", "\(numbers[0]).\(numbers[1] + 1)")
        default: Self.operators[name].map { .test(attribute, [$0: .string(text)]) }
        }
    }
}
