import AllotAnalysis
import AllotCore
import Testing

struct UnitShapeTests {
    /// The random ones: a separate implementation in Python of SplitMix64 and of what is made of it.
    @Test(
        "Unit IDs of a shape and a seed are fixed",
        arguments: [
            (UnitShape.sequential, 0, "1"), (.sequential, 9, "10"), (.sequential, 12_345_678, "12345679"),
            (.hex, 0, "dce423fc82c0d5b8"), (.hex, 12345, "e3ed1f1085e85c65"),
            (.uuid, 0, "dce423fc-82c0-45b8-9e41-ab087439611e"), (.uuid, 12345, "310e5566-c9ca-4c82-ae0c-c8e652c39698"),
            (.email, 0, "emma.fischer1@example.org"), (.email, 12345, "tom.nguyen13@example.org"),
        ])
    func known(shape: UnitShape, index: Int, expected: String) {
        #expect(shape.unitID(index) == expected)
    }

    @Test("Unit IDs differ from one another", arguments: UnitShape.allCases, [1, 99] as [UInt64])
    func differAmongEachOther(shape: UnitShape, seed: UInt64) {
        var seen: Set<[UInt8]> = []
        for index in 0..<30_000 { seen.insert(Array(shape.unitID(index, seed: seed).utf8)) }
        #expect(seen.count == 30_000)
    }

    @Test("Unit IDs depend on the seed", arguments: [UnitShape.uuid, .email, .hex, .unicode])
    func dependOnTheSeed(shape: UnitShape) {
        let same = (0..<1000).count { shape.unitID($0, seed: 1) == shape.unitID($0, seed: 2) }
        #expect(same < 200)
    }

    @Test("UUIDs are of version 4, and other shapes have their form")
    func forms() {
        let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for index in 0..<1000 {
            #expect(UnitShape.uuid.unitID(index).wholeMatch(of: uuid) != nil)
            #expect(UnitShape.email.unitID(index).wholeMatch(of: /[a-z]+\.[a-z]+[0-9]+@[a-z.]+/) != nil)
            #expect(UnitShape.hex.unitID(index).wholeMatch(of: /[0-9a-f]{16}/) != nil)
        }
    }

    @Test("Unicode names have many scripts")
    func unicodeHasManyScripts() {
        let units = (0..<1000).map { UnitShape.unicode.unitID($0) }
        let composed = units.filter { $0.unicodeScalars.starts(with: "Zo\u{EB}".unicodeScalars) }
        let decomposed = units.filter { $0.unicodeScalars.starts(with: "Zoe\u{308}".unicodeScalars) }
        #expect(composed.count > 20)
        #expect(decomposed.count > 20)
        #expect(units.count { $0.utf8.allSatisfy { $0 < 0x80 } } == 0)
    }

    /// The blocks that several threads take make up all units, each once.
    @Test("A source gives all its unit IDs in blocks, and none if it has none")
    func blocksOfASource() {
        let source = GeneratedUnits(.sequential, count: 40_000)
        var block = UnitBlock()
        var units: [String] = []
        while let start = source.next(into: &block) {
            #expect(start == units.count)
            units += (0..<block.count).map { String(decoding: block.bytes[block[$0]], as: UTF8.self) }
        }
        #expect(units == (1...40_000).map { "\($0)" })
        #expect(block.count == 0)
        #expect(source.next(into: &block) == nil)
        #expect(GeneratedUnits(.uuid, count: 0).next(into: &block) == nil)
        #expect(GeneratedUnits(.uuid, count: -5).count == 0)
    }
}
