import AllotConfiguration
import Testing

@Suite struct QRCodeTests {
    @Test("Each version has the modules of libqrencode's code, with the least and the most bytes")
    func codesAreThoseOfLibqrencode() throws {
        var hashes = ""
        var shortest = 1
        for (index, longest) in capacities.enumerated() {
            for length in [shortest, longest] {
                let code = try #require(QRCode(Self.bytes(length)))
                #expect(code.width == 21 + 4 * index)
                hashes += FNV1a.hash64(code.modules.map { $0 ? 1 : 0 }).hexadecimal
            }
            shortest = longest + 1
        }
        // The FNV-1a hash of those of the modules that libqrencode 4.1.1 makes at level L.
        #expect(FNV1a.hash64(Array(hashes.utf8)).hexadecimal == "12450156333008c0")
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 * 7 + $0 * 31 + count * 131) }
    }

    @Test("A code needs a byte, and has room for 2,953")
    func limits() {
        #expect(QRCode(Self.bytes(QRCode.limit))?.width == 177)
        #expect(QRCode(Self.bytes(QRCode.limit + 1)) == nil)
        #expect(QRCode("") == nil)
    }

    @Test("The picture shows each dark module within a margin, and its title is never markup")
    func picture() throws {
        let code = try #require(QRCode("shop://override?token=abc"))
        let svg = code.svg("<a>")
        #expect(svg.contains("<title>&lt;a&gt;</title>"))
        #expect(svg.contains("viewBox=\"0 0 \(code.width + 8) \(code.width + 8)\""))
        // The first mark begins with seven dark modules.
        #expect(svg.contains(" d=\"M4 4h7v1h-7z"))
        let lengths = svg.matches(of: #/v1h-(\d+)z/#).compactMap { Int($0.1) }
        #expect(lengths.reduce(0, +) == code.modules.count { $0 })
    }
}

/// The most bytes of each version.
private let capacities = [
    17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858, 929, 1003, 1091,
    1171, 1273, 1367, 1465, 1528, 1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431, 2563, 2699, 2809, 2953,
]
