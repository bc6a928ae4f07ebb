import Allot
import ArgumentParser

/// A number of the command line: 0.05, 5% or 1e-3.
struct CommandNumber {
    /// With a percent sign, a hundredth of what is written.
    let value: Double
    let isPercentage: Bool

    init(argument: String) throws {
        isPercentage = argument.hasSuffix("%")
        let digits = argument.hasPrefix("+") ? argument.dropFirst() : argument[...]
        let bytes = Array((isPercentage ? digits.dropLast() : digits).utf8)
        guard let number = Double(attributeText: bytes.span) else {
            throw ValidationError("it is a number such as 0.05 or 5%")
        }
        value = isPercentage ? number / 100 : number
        guard value.isFinite else { throw ValidationError("the number is too large") }
    }

    /// A rate or a probability, above 0 and below 1.
    static func rate(_ argument: String) throws -> Double {
        try value(argument, "it is above 0% and below 100%, such as 5% or 0.05") { 0 < $0.value && $0.value < 1 }
    }

    /// A share, above 0 and at most 1.
    static func share(_ argument: String) throws -> Double {
        try value(argument, "it is above 0% and at most 100%, such as 40% or 0.4") { 0 < $0.value && $0.value <= 1 }
    }

    /// A number above 0 without a percent sign.
    static func positive(_ argument: String) throws -> Double {
        try value(argument, "it is a number above 0, such as 12.5") { 0 < $0.value && !$0.isPercentage }
    }

    /// A number without a percent sign.
    static func plain(_ argument: String) throws -> Double {
        try value(argument, "it is a number such as 40, without %") { !$0.isPercentage }
    }

    private static func value(_ argument: String, _ form: String, if isValid: (Self) -> Bool) throws -> Double {
        let number = try Self(argument: argument)
        guard isValid(number) else {
            // Hundreds of percent are rarely meant.
            let isBare = !number.isPercentage && number.value > 1 && number.value < 100
            throw ValidationError(form + (isBare ? "; is \(argument)% meant?" : ""))
        }
        return number.value
    }

    /// A whole number above 0.
    static func count(_ argument: String) throws -> Int {
        guard let count = Int(argument), (1...1_000_000_000_000_000).contains(count) else {
            throw ValidationError("it is a whole number from 1 to 1000000000000000, such as 20000")
        }
        return count
    }
}

extension Option {
    /// An option with a number, which may be negative.
    init<Number>(
        number name: String, _ text: String, _ transform: @Sendable @escaping (String) throws -> Number
    ) where Value == Number? {
        self.init(parsing: .unconditional, help: .value(name, text), transform: transform)
    }
}
