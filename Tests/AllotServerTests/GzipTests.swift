import AllotCore
import AllotDefinitions
import AllotServing
import CZlib
import TestSupport
import Testing

struct GzipTests {
    private func packed(_ body: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = []
        body.withUnsafeBytes { body in
            GzipEncoder.encode(body) { bound, fill in
                packed = [UInt8](unsafeUninitializedCapacity: bound) { $1 = fill(UnsafeMutableRawBufferPointer($0)) }
            }
        }
        return packed
    }

    private func bytes(_ count: Int, of kinds: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: Int.random(in: 0..<kinds, using: &generator)) }
    }

    @Test("Every body comes back", arguments: [1, 2, 5, 64, 256])
    func bodiesComeBack(kinds: Int) throws {
        var generator = SeededGenerator(seed: kinds)
        for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 100, 257, 258, 259, 262, 1000, 33_000, 200_000] {
            let body = bytes(count, of: kinds, &generator)
            #expect(try Gunzip.bytes(packed(body)) == body, "\(count) bytes")
        }
    }

    @Test("Configurations of random plans come back, and are about as small as with zlib", arguments: 0..<20)
    func configurationsComeBack(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let settings = (0..<Int.random(in: 1...80, using: &generator)).map { number in
            let value = bytes(Int.random(in: 0...60, using: &generator), of: 26, &generator).map { $0 + 97 }
            return #""Setting\#(number)": {"value": "\#(String(decoding: value, as: UTF8.self))"}"#
        }
        var files = [
            "base.json":
                #"{"config_sections": {"Page": {"settings": {\#(settings.joined(separator: ", "))}}}}"#
        ]
        for number in 0..<Int.random(in: 0...min(30, settings.count), using: &generator) {
            files["experiment-\(number).yaml"] =
                "status: running\nvariants:\n  - key: control\n"
                + "  - { key: other, overrides: { Page: { Setting\(number): \"é \(number)\" } } }\n"
        }
        let sources = files.map { DefinitionSource(name: $0.key, bytes: Array($0.value.utf8)) }
        let plan = try DefinitionsLoader(now: Fixture.instant).load(sources).plan
        for user in 0..<10 {
            let body = plan.configurationBytes(for: Subject(id: "user-\(user)"), at: Fixture.instant)
            let packed = packed(body)
            #expect(try Gunzip.bytes(packed) == body)
            guard body.count >= GzipEncoder.minimumLength else { continue }
            #expect(packed.count <= zlibLength(body) * 115 / 100 + 16, "of \(body.count)")
        }
    }

    /// The length that zlib's fastest level has.
    private func zlibLength(_ body: [UInt8]) -> Int {
        var length = compressBound(UInt(body.count))
        let room = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            compress2(buffer.baseAddress, &length, body, UInt(body.count), 1)
            count = Int(length)
        }
        return room.count
    }

    @Test("The compressed bytes depend on the body alone, on every thread")
    func bytesDependOnTheBody() async {
        var generator = SeededGenerator(seed: 1)
        let bodies = [1, 4, 16, 64, 256].map { bytes(4000, of: $0, &generator) }
        let alone = bodies.map { packed($0) }
        await withTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 { group.addTask { bodies.map { packed($0) } } }
            for await together in group { #expect(together == alone) }
        }
    }
}
