import AllotCore

/// A number as people write it: 0.05, 5% or 1e-3.
package struct WrittenNumber {
    /// With a percent sign, a hundredth of what is written.
    package let value: Double
    package let isPercentage: Bool

    package init(argument: String) throws(AnalysisError) {
        isPercentage = argument.hasSuffix("%")
        let digits = argument.hasPrefix("+") ? argument.dropFirst() : argument[...]
        let bytes = Array((isPercentage ? digits.dropLast() : digits).utf8)
        guard let number = Double(attributeText: bytes.span) else {
            throw AnalysisError("write a number such as 0.05 or 5%")
        }
        value = isPercentage ? number / 100 : number
        guard value.isFinite else { throw AnalysisError("the number is too large") }
    }

    /// A rate or a probability, above 0 and below 1.
    package static func rate(_ argument: String) throws(AnalysisError) -> Double {
        try value(argument, "write a rate above 0% and below 100%, such as 5% or 0.05") { 0 < $0.value && $0.value < 1 }
    }

    /// A share, above 0 and at most 1.
    package static func share(_ argument: String) throws(AnalysisError) -> Double {
        try value(argument, "write a share above 0% and at most 100%, such as 40%") { 0 < $0.value && $0.value <= 1 }
    }

    /// Shares of a ramp, with commas: each above 0 and at most 1, in ascending order.
    package static func shares(_ argument: String) throws(AnalysisError) -> [Double] {
        var shares: [Double] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let share = try share(String(part))
            guard share > shares.last ?? 0 else {
                throw AnalysisError("list the shares in ascending order, such as 1%,10%,50%,100%")
            }
            shares.append(share)
        }
        return shares
    }

    /// A number above 0 without a percent sign.
    package static func positive(_ argument: String) throws(AnalysisError) -> Double {
        try value(argument, "write a number above 0, such as 12.5") { 0 < $0.value && !$0.isPercentage }
    }

    /// A number without a percent sign.
    package static func plain(_ argument: String) throws(AnalysisError) -> Double {
        try value(argument, "write a number such as 40, without %") { !$0.isPercentage }
    }

    private static func value(
        _ argument: String, _ form: String, if isValid: (Self) -> Bool
    ) throws(AnalysisError) -> Double {
        let number = try Self(argument: argument)
        guard isValid(number) else {
            // Hundreds of percent are rarely meant.
            let isBare = !number.isPercentage && number.value > 1 && number.value < 100
            throw AnalysisError(form + (isBare ? "; is \(argument)% meant?" : ""))
        }
        return number.value
    }

    /// A whole number above 0.
    package static func count(_ argument: String) throws(AnalysisError) -> Int {
        guard let count = Int(argument), (1...1_000_000_000_000_000).contains(count) else {
            throw AnalysisError("write a whole number from 1 to 1000000000000000, such as 20000")
        }
        return count
    }
}

extension PlannedVariants {
    package static let most = 1000

    /// Reads shares, which ``WrittenShares`` describes: the control's first.
    package init(argument: String) throws {
        let written = try WrittenShares(argument)
        try written.checkTotal()
        guard written.weights.count <= Self.most else { throw AnalysisError("\(Self.most) variants are the most") }
        guard written.weights.allSatisfy({ $0 > 0 }) else {
            throw AnalysisError("each planned variant has a share above 0; leave out those without")
        }
        try self.init(weights: written.weights.map(Double.init), names: written.names ?? [])
    }
}
