/// The digits of an Arrow decimal, all of them: 1.10 with two digits after the point stays `1.10`.
struct DecimalText {
    /// The magnitude, of at most 256 bits.
    private var high: UInt128 = 0
    private var low: UInt128
    private let isNegative: Bool
    private let scale: Int

    /// Reads a two's complement number of 4, 8, 16 or 32 bytes in the order of this machine. `scale` is the number of
    /// digits after the point; below 0, that many zeros follow.
    init(_ bytes: UnsafeRawPointer, width: Int, scale: Int) {
        self.scale = scale
        guard width == 32 else {
            let value =
                switch width {
                case 4: Int128(bytes.loadUnaligned(as: Int32.self))
                case 8: Int128(bytes.loadUnaligned(as: Int64.self))
                default: bytes.loadUnaligned(as: Int128.self)
                }
            (low, isNegative) = (value.magnitude, value < 0)
            return
        }
        (low, high) = (bytes.loadUnaligned(as: UInt128.self), (bytes + 16).loadUnaligned(as: UInt128.self))
        isNegative = high >> 127 == 1
        guard isNegative else { return }
        let (sum, overflow) = (~low).addingReportingOverflow(1)
        (low, high) = (sum, ~high &+ (overflow ? 1 : 0))
    }

    private var isZero: Bool { low | high == 0 }

    private mutating func removeDigit() -> UInt8 {
        guard high > 0 || low > UInt64.max else {
            let (quotient, rest) = UInt64(truncatingIfNeeded: low).quotientAndRemainder(dividingBy: 10)
            low = UInt128(quotient)
            return UInt8(rest)
        }
        let (quotient, rest) = high.quotientAndRemainder(dividingBy: 10)
        high = quotient
        let (lowQuotient, digit) = UInt128(10).dividingFullWidth((rest, low))
        low = lowQuotient
        return UInt8(digit)
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
