/// The version of a QR code, which is its size, and its numbers at level L.
struct QRCodeVersion {
    let number: Int

    private static let correctionLengths = [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30,
        30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let blockCounts = [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19,
        19, 20, 21, 22, 24, 25,
    ]

    /// The smallest version with room for a number of bytes. Returns `nil` if there is none.
    init?(roomFor count: Int) {
        guard let fit = (1...40).lazy.map(Self.init(number:)).first(where: { $0.room >= count }) else { return nil }
        self = fit
    }

    private init(number: Int) { self.number = number }
    var width: Int { 17 + 4 * number }

    /// The rows, and the columns, of the centres of the marks for alignment.
    var markCentres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let step = number == 32 ? 26 : (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).map { width - 7 - $0 * step }
    }

    /// The number of bytes that it has room for, after the mode and their number.
    private var room: Int { dataLength - (hasLongLength ? 3 : 2) }
    private var hasLongLength: Bool { number > 9 }
    private var blockCount: Int { Self.blockCounts[number - 1] }
    private var correctionLength: Int { Self.correctionLengths[number - 1] }
    private var dataLength: Int { codewordCount - blockCount * correctionLength }

    private var codewordCount: Int {
        var modules = (16 * number + 128) * number + 64
        if number > 1 {
            let count = number / 7 + 2
            modules -= (25 * count - 10) * count - 55
        }
        if number > 6 { modules -= 36 }
        return modules / 8
    }
}

extension QRCodeVersion {
    /// The codewords of bytes for which there is room: those of the data, then those that correct it, each interleaved
    /// from its blocks.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        var rest = data(of: bytes)[...]
        // The last blocks have one codeword more.
        let (length, longer) = dataLength.quotientAndRemainder(dividingBy: blockCount)
        let blocks = (0..<blockCount).map { index in
            let block = rest.prefix(index < blockCount - longer ? length : length + 1)
            rest = rest.dropFirst(block.count)
            return Array(block)
        }
        let generator = GaloisField.generator(correctionLength)
        return Self.interleaved(blocks) + Self.interleaved(blocks.map { GaloisField.remainder(of: $0, by: generator) })
    }

    /// The mode "bytes", the number of bytes, the bytes, and what fills the rest.
    private func data(of bytes: [UInt8]) -> [UInt8] {
        let length = hasLongLength ? [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] : [UInt8(bytes.count)]
        var words: [UInt8] = []
        words.reserveCapacity(dataLength)
        // The mode has four bits, so that each byte is in two codewords. Four zeros end the data.
        var half: UInt8 = 0b0100
        for byte in length + bytes {
            words.append(half << 4 | byte >> 4)
            half = byte & 0xF
        }
        words.append(half << 4)
        var filler: UInt8 = 0xEC
        while words.count < dataLength {
            words.append(filler)
            filler ^= 0xEC ^ 0x11
        }
        return words
    }

    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        let longest = blocks.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in blocks.compactMap { index < $0.count ? $0[index] : nil } }
    }
}

/// Arithmetic of bytes as polynomials modulo x⁸ + x⁴ + x³ + x² + 1, for the codes of Reed and Solomon.
private enum GaloisField {
    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) &* 0x1D
            if right >> UInt8(bit) & 1 == 1 { product ^= left }
        }
        return product
    }

    /// The product of x - 2ⁱ for i below the degree, without its first coefficient, which is 1.
    static func generator(_ degree: Int) -> [UInt8] {
        var coefficients = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in coefficients.indices {
                coefficients[index] = product(coefficients[index], root)
                if index + 1 < degree { coefficients[index] ^= coefficients[index + 1] }
            }
            root = product(root, 2)
        }
        return coefficients
    }

    static func remainder(of data: [UInt8], by generator: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder[0]
            remainder = remainder.dropFirst() + [0]
            for (index, coefficient) in generator.enumerated() { remainder[index] ^= product(coefficient, factor) }
        }
        return remainder
    }
}
