import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotCore

struct IPAddressTests {
    private static func address(_ text: String) -> IPAddress? { IPAddress(utf8: Array(text.utf8).span) }

    @Test(
        "Addresses have their bits",
        arguments: [
            ("0.0.0.0", "0.0.0.0"), ("192.0.2.1", "192.0.2.1"), ("255.255.255.255", "255.255.255.255"), ("::", "::"),
            ("::1", "::1"), ("1::", "1::"), ("2001:DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a"),
            ("ff01:0:0:0:0:0:0:101", "ff01::101"), ("::ffff:129.144.52.38", "129.144.52.38"),
            ("0:0:0:0:0:ffff:8190:3426", "129.144.52.38"), ("::13.1.68.3", "::d01:4403"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1::2:0:0:3", "1::2:0:0:3"),
            ("0:0:0:0:0:ffff::", "0.0.0.0"), ("::ffff:0:0", "0.0.0.0"),
        ])
    func addresses(text: String, expected: String) throws {
        let address = try #require(Self.address(text))
        #expect(address.description == expected)
        #expect(Self.address(expected) == address)
    }

    @Test(
        "Other texts are not addresses",
        arguments: [
            "", ".", ":", ":::", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.04", "1.2.3.256", "1.2.3.1000", "1..2.3",
            " 1.2.3.4", "1.2.3.4 ", "1.2.3.4/8", "0x1.2.3.4", "+1.2.3.4", "1.2.3.-4", "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "1:2:3:4:5:6:7::8", "1::2::3", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "12345::", "g::", "fe80::1%eth0",
            "[::1]",
            "::1.2.3", "::1.2.3.4:5", "1.2.3.4::", "1:2:3:4:5:6:7:1.2.3.4", "::1:2:3:4:5:6:1.2.3.4", "::ffff:1.2.3.04",
            "１.2.3.4", "::\u{660}",
        ])
    func notAddresses(text: String) {
        #expect(Self.address(text) == nil)
    }

    @Test("Random texts are read as the platform reads them", arguments: 1...4)
    func agreesWithThePlatform(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let pieces = [":", ":", "::", ".", "0", "1", "ffff", "a", "12", "255", "256", "1.2.3.4", "00", "f:", ":0"]
        var valid = 0
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 1...11, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let isColonList = Bool.random(using: &random)
            let shown = isColonList ? text.replacing(".", with: ":") : text
            var bytes = Array(repeating: UInt8(0), count: 16)
            var expected: UInt128?
            if inet_pton(AF_INET6, shown, &bytes) == 1 {
                expected = bytes.reduce(0) { $0 << 8 | UInt128($1) }
            } else if inet_pton(AF_INET, shown, &bytes) == 1 {
                expected = bytes.prefix(4).reduce(0xFFFF) { $0 << 8 | UInt128($1) }
            }
            if expected != nil { valid += 1 }
            #expect(Self.address(shown)?.bits == expected, "\(shown)")
        }
        #expect(valid > 100)
    }

    @Test(
        "Networks contain their addresses",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("10.0.0.0/8", "::10.1.2.3", false), ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::1", false),
            ("::/0", "::1", true), ("::/0", "10.0.0.1", false), ("::/0", "::ffff:10.0.0.1", false),
            ("::/0", "::1:0:0:0", true), ("::ffff:10.0.0.0/104", "10.1.1.1", true), ("::ffff:0:0/96", "1.2.3.4", true),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("2001:db8::/33", "2001:db8:7fff::", true),
            ("2001:db8::/33", "2001:db8:8000::", false), ("::1", "0:0::0:1", true), ("ffff::/16", "ffff:ff::", true),
        ])
    func networks(network: String, address: String, isInside: Bool) throws {
        let set = IPNetworkSet([try IPNetwork(network)])
        #expect(set.contains(Array(address.utf8).span) == isInside)
    }

    @Test(
        "Networks have one spelling",
        arguments: [
            ("10.0.0.0/8", "10.0.0.0/8"), ("10.1.2.3", "10.1.2.3/32"), ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
            ("2001:DB8:0::/32", "2001:db8::/32"), ("::/0", "::/0"), ("::1", "::1/128"), ("::ffff:0:0/96", "0.0.0.0/0"),
        ])
    func spelling(text: String, expected: String) throws {
        #expect(try IPNetwork(text).description == expected)
        #expect(try IPNetwork(expected) == IPNetwork(text))
    }

    @Test(
        "Invalid networks say what is wrong",
        arguments: [
            ("10.0.0.1/8", "has bits after its prefix; write 10.0.0.0/8"),
            ("2001:db8::1/32", "has bits after its prefix; write 2001:db8::/32"),
        ]
            + [
                "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0.0/8/8", "10/8", "/8", "",
                "::/ 8",
            ].map {
                (
                    $0,
                    "is not an IP address or network; write an address, or a network such as 10.0.0.0/8 or "
                        + "2001:db8::/32, without leading zeros"
                )
            })
    func faults(text: String, reason: String) {
        #expect { try IPNetwork(text) } throws: { ($0 as? IPNetwork.Fault)?.reason == reason }
    }
}
