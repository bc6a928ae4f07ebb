import AllotConfiguration
import Testing

@Suite struct QRCodeTests {
    @Test("Each version has the modules of libqrencode's code, with the least and the most bytes")
    func codesAreThoseOfLibqrencode() throws {
        let expected = libqrencode.split(whereSeparator: \.isWhitespace)
        #expect(expected.count == 160)
        for index in stride(from: 0, to: expected.count, by: 2) {
            let length = try #require(Int(expected[index]))
            let code = try #require(QRCode(Self.bytes(length)))
            #expect(code.width == 21 + index / 4 * 4)
            let hash = FNV1a.hash64(code.modules.map { $0 ? 1 : 0 })
            #expect(hash.hexadecimal == expected[index + 1], "\(length) bytes")
        }
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

/// The shortest and the longest text of each version, and the FNV-1a hash of the modules that libqrencode 4.1.1 makes
/// of it at level L.
private let libqrencode = """
    1 49d4890f840ad411 17 cff50d24f52aa9ef
    18 a01bb4a699e7d17f 32 b35108f53fe99de5
    33 db39db3495df9a49 53 003c016407767fc8
    54 289d7c5f6e9369e5 78 c7ca2ab8f29a6269
    79 36c9600bf37a1e53 106 c2ae0faffe5c5b2b
    107 a8a346fa7020fb0d 134 f620ee907a1e83f6
    135 2b19b882b593b595 154 415387c68d4d1e21
    155 d63e194fb594b259 192 94c23eba43f463a9
    193 480c566b5a641e1b 230 551ee57ffcf22224
    231 e3b87a1a59a80b17 271 8df5c2c26ed472ff
    272 b4aaa64e4c25e831 321 756a618f8aa7b315
    322 6bf35c563f13e8f1 367 4457b8936a3f2524
    368 18ce06cdbb87e891 425 d676687143d33ceb
    426 1fe4cb0c7856f749 458 c6b1dadafdb42f51
    459 e6ab2a89acb48b91 520 0dc7d0923e2a5342
    521 d45757834afdafd8 586 36cc4ed260ad5bf4
    587 965f0c75f373b5f3 644 1c73c883a7f33213
    645 1de580dccb33bdc1 718 e284780a233f1b32
    719 5b3bc4366f87d355 792 7547a5bc5981f8c9
    793 e8cba90e64360ae5 858 70abe2ff25efd579
    859 3e5b5279c83a8bd7 929 a6c7a73b5846db0b
    930 20915008eb7efb8f 1003 5c94dcc1f280a49d
    1004 df80b405db86b22f 1091 c2e610b1c3955527
    1092 22f0bddd442381d3 1171 b2351138cac27dc3
    1172 4c1b6acc0710f302 1273 b2187b3d86053fb3
    1274 84bef88ba6b40629 1367 97b11c3bdfef9747
    1368 6f31932da8ed9f53 1465 314c233738498225
    1466 c64c5ea69847a75e 1528 3d3e27708840973c
    1529 b638fa95e07c10df 1628 5edb581928200d3b
    1629 36577f274c4c02f0 1732 847336fbed414b62
    1733 ec5b902d9a248f96 1840 cd924d37462f8157
    1841 af3f39a6665c4eb2 1952 d73a7a041bd4146e
    1953 8469e3a7283f30cd 2068 f75b3d29280b0d59
    2069 7c65a80a76088ebe 2188 0d6a673a352cd62d
    2189 feda3a6babf7341d 2303 c0cfbf1844d87e7f
    2304 a4ca82f8d5fc54c3 2431 e165a6dd3ed9451c
    2432 a9a7cc0f4bee3459 2563 8a1681c2c3fdc933
    2564 7e6f6e40546e2f7d 2699 43bbe2ce623fccfb
    2700 e8ecd887702055af 2809 57bcfdef098fe47d
    2810 8966363a1b738a4f 2953 d953ecd1834928ac
    """
