/// The digits of an Arrow decimal, all of them: 1.10 with two digits after the point stays `1.10`.
struct DecimalText {
    /// The magnitude, 64 bits each, the lowest first.
    private var limbs: (UInt64, UInt64, UInt64, UInt64)
    private let isNegative: Bool
    private let scale: Int

    /// - Parameters:
    ///   - bytes: a two's complement number in the order of this machine.
    ///   - width: the number of its bytes, 4, 8, 16 or 32.
    ///   - scale: the number of digits after the point; below 0, that many zeros follow.
    init(_ bytes: UnsafeRawPointer, width: Int, scale: Int) {
        self.scale = scale
        func limb(_ index: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }
        switch width {
        case 4:
            let value = bytes.loadUnaligned(as: Int32.self)
            (limbs, isNegative) = ((UInt64(value.magnitude), 0, 0, 0), value < 0)
            return
        case 8:
            let value = bytes.loadUnaligned(as: Int64.self)
            (limbs, isNegative) = ((value.magnitude, 0, 0, 0), value < 0)
            return
        case 16: limbs = (limb(0), limb(1), 0, 0)
        default: limbs = (limb(0), limb(1), limb(2), limb(3))
        }
        isNegative = (width == 16 ? limbs.1 : limbs.3) >> 63 == 1
        guard isNegative else { return }
        if width == 16 { (limbs.2, limbs.3) = (.max, .max) }
        var carry: Bool
        (limbs.0, carry) = (~limbs.0).addingReportingOverflow(1)
        (limbs.1, carry) = (~limbs.1).addingReportingOverflow(carry ? 1 : 0)
        (limbs.2, carry) = (~limbs.2).addingReportingOverflow(carry ? 1 : 0)
        limbs.3 = ~limbs.3 &+ (carry ? 1 : 0)
    }

    private var isZero: Bool { limbs.0 | limbs.1 | limbs.2 | limbs.3 == 0 }

    /// Divides the magnitude by ten and returns the remainder.
    private mutating func removeDigit() -> UInt8 {
        var rest: UInt64 = 0
        func divide(_ limb: UInt64) -> UInt64 {
            let (quotient, remainder) = UInt64(10).dividingFullWidth((rest, limb))
            rest = remainder
            return quotient
        }
        if limbs.3 | limbs.2 | limbs.1 == 0 {
            (limbs.0, rest) = limbs.0.quotientAndRemainder(dividingBy: 10)
        } else {
            limbs.3 = divide(limbs.3)
            limbs.2 = divide(limbs.2)
            limbs.1 = divide(limbs.1)
            limbs.0 = divide(limbs.0)
        }
        return UInt8(rest)
    }

    /// The most characters: 78 digits, 76 zeros, a sign and a point.
    private static let capacity = 160

    func append(to bytes: inout ByteStore) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.capacity) { text in
            var (number, start, digits) = (self, Self.capacity, 0)
            func write(_ byte: UInt8) {
                start -= 1
                text[start] = byte
            }
            if scale < 0, !isZero { for _ in 0..<(-scale) { write(UInt8(ascii: "0")) } }
            repeat {
                if digits == scale, digits > 0 { write(UInt8(ascii: ".")) }
                write(UInt8(ascii: "0") + number.removeDigit())
                digits += 1
            } while !number.isZero || digits <= scale
            if isNegative { write(UInt8(ascii: "-")) }
            if let base = text.baseAddress { _ = bytes.append(UnsafeRawPointer(base + start), Self.capacity - start) }
        }
    }
}
