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
        let number = try Self(argument: argument)
        guard number.value > 0, number.value < 1 else {
            throw ValidationError("it is above 0% and below 100%, such as 5% or 0.05\(number.hint(argument))")
        }
        return number.value
    }

    /// A share, above 0 and at most 1.
    static func share(_ argument: String) throws -> Double {
        let number = try Self(argument: argument)
        guard number.value > 0, number.value <= 1 else {
            throw ValidationError("it is above 0% and at most 100%, such as 40% or 0.4\(number.hint(argument))")
        }
        return number.value
    }

    /// A number above 0 without a percent sign.
    static func positive(_ argument: String) throws -> Double {
        let number = try Self(argument: argument)
        guard number.value > 0, !number.isPercentage else {
            throw ValidationError("it is a number above 0, such as 12.5")
        }
        return number.value
    }

    /// A number without a percent sign.
    static func plain(_ argument: String) throws -> Double {
        let number = try Self(argument: argument)
        guard !number.isPercentage else { throw ValidationError("it is a number such as 40, without %") }
        return number.value
    }

    private static let largestCount = 1_000_000_000_000_000

    /// A whole number above 0.
    static func count(_ argument: String) throws -> Int {
        guard let count = Int(argument), (1...largestCount).contains(count) else {
            throw ValidationError("it is a whole number from 1 to \(largestCount), such as 20000")
        }
        return count
    }

    /// What is probably meant by a number that would be hundreds of percent.
    private func hint(_ argument: String) -> String {
        !isPercentage && value > 1 && value < 100 ? "; is \(argument)% meant?" : ""
    }
}
