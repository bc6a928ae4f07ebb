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

    func test(_ attribute: String, _ name: String) -> JSONValue? {
        let literal = JSONValue.string(text)
        switch name {
        case "=": return .test(attribute, ["$veq": literal])
        case "!=": return .test(attribute, ["$vne": literal])
        case "<": return .test(attribute, ["$vlt": literal])
        case "<=": return .test(attribute, ["$vlte": literal])
        case ">": return .test(attribute, ["$vgt": literal])
        case ">=": return .test(attribute, ["$vgte": literal])
        // A pre-release of the next number is the first version that has it.
        case "^":
            return .test(
                attribute, ["$vgte": .string("\(numbers[0]).0.0-0"), "$vlt": .string("\(numbers[0] + 1).0.0-0")])
        case "~":
            return .test(
                attribute,
                [
                    "$vgte": .string("\(numbers[0]).\(numbers[1]).0-0"),
                    "$vlt": .string("\(numbers[0]).\(numbers[1] + 1).0-0"),
                ])
        default: return nil
        }
    }
}
