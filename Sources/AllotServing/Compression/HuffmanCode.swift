/// A canonical prefix code of DEFLATE (RFC 1951, section 3.2.2). `Sendable`.
struct HuffmanCode: Sendable {
    /// By symbol the length of its code in bits, 0 if it has none.
    let lengths: [UInt8]
    /// By symbol its code, with the first bit lowest, as it is written.
    let codes: [UInt32]

    /// The best code for symbols that occur this often, or nearly the best if its longest would have more than `limit`
    /// bits.
    init(frequencies: [Int], limit: Int) {
        var frequencies = frequencies
        var lengths = Self.lengths(frequencies)
        while let longest = lengths.max(), longest > limit {
            // Less unequal frequencies have codes of less unequal lengths.
            for symbol in frequencies.indices where frequencies[symbol] > 0 {
                frequencies[symbol] = (frequencies[symbol] + 1) / 2
            }
            lengths = Self.lengths(frequencies)
        }
        self.lengths = lengths
        codes = Self.codes(lengths)
    }

    /// Huffman's algorithm with two queues. Equal frequencies are taken in the order of the symbols, so that the code
    /// is the same everywhere.
    private static func lengths(_ frequencies: [Int]) -> [UInt8] {
        let symbols = frequencies.indices.filter { frequencies[$0] > 0 }
            .sorted { (frequencies[$0], $0) < (frequencies[$1], $1) }
        var lengths = [UInt8](repeating: 0, count: frequencies.count)
        guard symbols.count > 1 else {
            for symbol in symbols { lengths[symbol] = 1 }
            return lengths
        }
        // The leaves in order, and after them the inner nodes as they arise, which is the order of their weights.
        var weights = symbols.map { frequencies[$0] }
        var parents = [Int](repeating: 0, count: 2 * symbols.count - 1)
        var (leaf, inner) = (0, symbols.count)
        func takeLightest() -> Int {
            if leaf < symbols.count, inner >= weights.count || weights[leaf] <= weights[inner] {
                leaf += 1
                return leaf - 1
            }
            inner += 1
            return inner - 1
        }
        while weights.count < parents.count {
            let (first, second) = (takeLightest(), takeLightest())
            parents[first] = weights.count
            parents[second] = weights.count
            weights.append(weights[first] + weights[second])
        }
        var depths = [UInt8](repeating: 0, count: parents.count)
        for node in (0..<parents.count - 1).reversed() { depths[node] = depths[parents[node]] + 1 }
        for (index, symbol) in symbols.enumerated() { lengths[symbol] = depths[index] }
        return lengths
    }

    private static func codes(_ lengths: [UInt8]) -> [UInt32] {
        var codes = [UInt32](repeating: 0, count: lengths.count)
        var next: UInt32 = 0
        for length in 1...UInt8(15) {
            for symbol in lengths.indices where lengths[symbol] == length {
                var (reversed, rest): (UInt32, UInt32) = (0, next)
                for _ in 0..<length {
                    reversed = reversed << 1 | rest & 1
                    rest >>= 1
                }
                codes[symbol] = reversed
                next += 1
            }
            next <<= 1
        }
        return codes
    }
}
