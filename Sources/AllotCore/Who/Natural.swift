/// A whole number of any size that is not negative: the numerators and denominators of ``ExactShare``. Words of 64
/// bits, the lowest first, without zeros at the end. Most shares need one word.
struct Natural: Sendable, Hashable {
    private var words: [UInt64]

    static let zero = Natural(0)
    static let one = Natural(1)

    init(_ number: UInt64) { words = number == 0 ? [] : [number] }

    private init(words: [UInt64]) {
        self.words = words
        while self.words.last == 0 { self.words.removeLast() }
    }

    var isZero: Bool { words.isEmpty }
    var bitWidth: Int { words.last.map { words.count * 64 - $0.leadingZeroBitCount } ?? 0 }
    var word: UInt64? { words.isEmpty ? 0 : words.count == 1 ? words[0] : nil }

    static func + (left: Natural, right: Natural) -> Natural {
        var sum = left.words
        sum.reserveCapacity(max(left.words.count, right.words.count) + 1)
        var carry: UInt64 = 0
        for index in 0..<max(left.words.count, right.words.count) {
            if index == sum.count { sum.append(0) }
            let word = index < right.words.count ? right.words[index] : 0
            let (partial, overflow) = sum[index].addingReportingOverflow(word)
            let (total, secondOverflow) = partial.addingReportingOverflow(carry)
            sum[index] = total
            carry = overflow || secondOverflow ? 1 : 0
        }
        sum.append(carry)
        return Natural(words: sum)
    }

    static func - (left: Natural, right: Natural) -> Natural {
        var difference = left.words
        var borrow: UInt64 = 0
        for index in difference.indices {
            let word = index < right.words.count ? right.words[index] : 0
            let (partial, overflow) = difference[index].subtractingReportingOverflow(word)
            let (total, secondOverflow) = partial.subtractingReportingOverflow(borrow)
            difference[index] = total
            borrow = overflow || secondOverflow ? 1 : 0
        }
        return Natural(words: difference)
    }

    static func * (left: Natural, right: Natural) -> Natural {
        var product = Array(repeating: UInt64(0), count: left.words.count + right.words.count)
        for (i, word) in left.words.enumerated() {
            var carry: UInt64 = 0
            for (j, other) in right.words.enumerated() {
                let value = UInt128(word) * UInt128(other) + UInt128(product[i + j]) + UInt128(carry)
                product[i + j] = UInt64(truncatingIfNeeded: value)
                carry = UInt64(truncatingIfNeeded: value >> 64)
            }
            product[i + right.words.count] = carry
        }
        return Natural(words: product)
    }

    /// Quotient and remainder. The divisor is not zero.
    func quotientAndRemainder(dividingBy divisor: Natural) -> (quotient: Natural, remainder: Natural) {
        if let dividend = word, let divisor = divisor.word {
            let result = dividend.quotientAndRemainder(dividingBy: divisor)
            return (Natural(result.quotient), Natural(result.remainder))
        }
        var (quotient, remainder) = (Natural.zero, self)
        var shift = bitWidth - divisor.bitWidth
        guard shift >= 0 else { return (quotient, self) }
        var shifted = divisor.shifted(left: shift)
        while shift >= 0 {
            quotient.shiftLeft()
            if remainder >= shifted {
                remainder = remainder - shifted
                quotient = quotient + .one
            }
            shifted.shiftRight()
            shift -= 1
        }
        return (quotient, remainder)
    }

    static func greatestCommonDivisor(_ left: Natural, _ right: Natural) -> Natural {
        var (large, small) = (left, right)
        while !small.isZero { (large, small) = (small, large.quotientAndRemainder(dividingBy: small).remainder) }
        return large
    }

    /// The number as a fraction of 1 with an exponent of 2: its 64 highest bits count.
    fileprivate var scaled: (significand: Double, exponent: Int) {
        let shift = max(0, bitWidth - 64)
        var top = self
        for _ in 0..<(shift / 64) { top.words.removeFirst() }
        for _ in 0..<(shift % 64) { top.shiftRight() }
        return (Double(top.word ?? .max), shift)
    }

    private func shifted(left count: Int) -> Natural {
        var result = Natural(words: isZero ? [] : Array(repeating: 0, count: count / 64) + words)
        for _ in 0..<(count % 64) { result.shiftLeft() }
        return result
    }

    private mutating func shiftLeft() {
        var carry: UInt64 = 0
        for index in words.indices {
            let next = words[index] >> 63
            words[index] = words[index] << 1 | carry
            carry = next
        }
        if carry > 0 { words.append(carry) }
    }

    private mutating func shiftRight() {
        var carry: UInt64 = 0
        for index in words.indices.reversed() {
            let next = words[index] << 63
            words[index] = words[index] >> 1 | carry
            carry = next
        }
        if words.last == 0 { words.removeLast() }
    }
}

extension Natural: Comparable {
    static func < (left: Natural, right: Natural) -> Bool {
        guard left.words.count == right.words.count else { return left.words.count < right.words.count }
        return left.words.reversed().lexicographicallyPrecedes(right.words.reversed())
    }
}

extension Double {
    /// The quotient of two whole numbers, to within two units in the last place; exact to the nearest double for
    /// numbers of at most 53 bits.
    init(_ numerator: Natural, over denominator: Natural) {
        let (above, below) = (numerator.scaled, denominator.scaled)
        self.init(
            sign: .plus, exponent: above.exponent - below.exponent, significand: above.significand / below.significand)
    }
}
