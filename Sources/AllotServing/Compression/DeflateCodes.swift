/// The two prefix codes of a block of DEFLATE (RFC 1951), as they are written at its beginning and applied. `Sendable`.
struct DeflateCodes: Sendable {
    /// Bits to write, the first one lowest.
    struct Bits: Sendable {
        var value: UInt64 = 0
        var count = 0

        /// Appends bits; there must be room for them.
        mutating func append(_ value: UInt64, _ count: Int) {
            self.value |= value << UInt64(self.count)
            self.count += count
        }
    }

    /// The counts of symbols from which codes are made.
    struct Frequencies {
        // Each symbol occurs at least once, so that every body can be written.
        var literals = [Int](repeating: 1, count: 286)
        var distances = [Int](repeating: 1, count: 30)

        mutating func count(literal: UInt8) { literals[Int(literal)] += 1 }

        mutating func count(length: Int, distance: Int) {
            literals[DeflateCodes.lengthSymbol(length).symbol] += 1
            distances[DeflateCodes.distanceSymbol(distance).symbol] += 1
        }

        mutating func countEnd() { literals[endSymbol] += 1 }
    }

    static let endSymbol = 256
    /// The shortest and the longest repetition that is looked for.
    static let lengths = 4...258
    /// How far back a repetition may refer.
    static let window = 32_768

    /// The beginning of a block that is the last one, with both codes.
    let header: [Bits]
    /// By byte.
    let literals: [Bits]
    /// By length.
    let repetitions: [Bits]
    /// By symbol, without the extra bits.
    let distances: [Bits]
    let end: Bits

    init(_ frequencies: Frequencies) {
        let literal = HuffmanCode(frequencies: frequencies.literals, limit: 15)
        let distance = HuffmanCode(frequencies: frequencies.distances, limit: 15)
        func bits(_ code: HuffmanCode, _ symbol: Int) -> Bits {
            Bits(value: UInt64(code.codes[symbol]), count: Int(code.lengths[symbol]))
        }
        literals = (0..<256).map { bits(literal, $0) }
        end = bits(literal, Self.endSymbol)
        repetitions = (0...Self.lengths.upperBound).map { length in
            guard length >= 3 else { return Bits() }
            let (symbol, extra, count) = Self.lengthSymbol(length)
            var result = bits(literal, symbol)
            result.append(UInt64(extra), count)
            return result
        }
        distances = (0..<30).map { bits(distance, $0) }
        header = Self.header(literal, distance)
    }

    /// The symbol of a length, and its extra bits.
    static func lengthSymbol(_ length: Int) -> (symbol: Int, extra: Int, count: Int) {
        if length == 258 { return (285, 0, 0) }
        let value = length - 3
        if value < 8 { return (257 + value, 0, 0) }
        let count = Int.bitWidth - 3 - value.leadingZeroBitCount
        return (257 + (count << 2) + (value >> count), value & (1 << count - 1), count)
    }

    /// The symbol of a distance, and its extra bits.
    @inline(__always)
    static func distanceSymbol(_ distance: Int) -> (symbol: Int, extra: Int, count: Int) {
        let value = distance &- 1
        if value < 4 { return (value, 0, 0) }
        let count = Int.bitWidth &- 2 &- value.leadingZeroBitCount
        return ((count &<< 1) &+ (value &>> count), value & ((1 &<< count) &- 1), count)
    }

    /// RFC 1951, section 3.2.7.
    private static func header(_ literal: HuffmanCode, _ distance: HuffmanCode) -> [Bits] {
        let all = literal.lengths + distance.lengths
        // Lengths as they are, and runs of one length: symbol 16 repeats the one before it.
        var symbols: [(symbol: Int, extra: Int, count: Int)] = []
        var index = 0
        while index < all.count {
            var run = 1
            while index + run < all.count, all[index + run] == all[index] { run += 1 }
            index += run
            symbols.append((Int(all[index - 1]), 0, 0))
            run -= 1
            while run >= 3 {
                let part = min(run, 6)
                symbols.append((16, part - 3, 2))
                run -= part
            }
            for _ in 0..<run { symbols.append((Int(all[index - 1]), 0, 0)) }
        }
        var frequencies = [Int](repeating: 0, count: 19)
        for symbol in symbols { frequencies[symbol.symbol] += 1 }
        let code = HuffmanCode(frequencies: frequencies, limit: 7)
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        let used = (order.lastIndex { code.lengths[$0] > 0 } ?? 3) + 1
        var start = Bits()
        // The last block, with codes of its own; how many lengths of each code follow.
        start.append(1, 1)
        start.append(2, 2)
        start.append(UInt64(literal.lengths.count - 257), 5)
        start.append(UInt64(distance.lengths.count - 1), 5)
        start.append(UInt64(max(used, 4) - 4), 4)
        return [start] + order.prefix(max(used, 4)).map { Bits(value: UInt64(code.lengths[$0]), count: 3) }
            + symbols.map { symbol, extra, count in
                var bits = Bits(value: UInt64(code.codes[symbol]), count: Int(code.lengths[symbol]))
                bits.append(UInt64(extra), count)
                return bits
            }
    }
}
