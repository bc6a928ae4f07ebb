/// Patterns of the digits of whole numbers, which may begin with zeros.
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
    ///
    /// - Parameter rest: the pattern of what may follow the number at an index.
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
