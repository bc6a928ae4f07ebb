import Allot
import AllotDefinitions
import AllotServing
import CZlib
import TestSupport
import Testing

struct GzipTests {
    private func packed(_ encoder: GzipEncoder, _ body: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = []
        body.withUnsafeBytes { body in
            encoder.encode(body) { bound, fill in
                packed = [UInt8](unsafeUninitializedCapacity: bound) { $1 = fill(UnsafeMutableRawBufferPointer($0)) }
            }
        }
        return packed
    }

    private func bytes(_ count: Int, of kinds: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: Int.random(in: 0..<kinds, using: &generator)) }
    }

    /// Codes suit bodies like the sample; others are longer, but correct.
    @Test("Every body comes back, whatever the sample was", arguments: [1, 2, 5, 64, 256])
    func bodiesComeBack(kinds: Int) throws {
        var generator = SeededGenerator(seed: kinds)
        let samples = [[], Array(Fixture.base.utf8), bytes(3000, of: 3, &generator)]
        let encoders = samples.map { GzipEncoder(sample: $0) }
        for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 100, 257, 258, 259, 262, 1000, 33_000, 70_000] {
            let body = bytes(count, of: kinds, &generator)
            for encoder in encoders + [GzipEncoder(sample: body)] {
                #expect(try Gunzip.bytes(packed(encoder, body)) == body, "\(count) bytes")
            }
        }
    }

    @Test("A body of 1 MiB comes back, and repetitions 32 KiB apart are found")
    func longBodiesComeBack() throws {
        var generator = SeededGenerator(seed: 1)
        let noise = bytes(1 << 20, of: 256, &generator)
        let encoder = GzipEncoder(sample: noise)
        #expect(try Gunzip.bytes(packed(encoder, noise)) == noise)
        let marker = Array(noise.prefix(300))
        let counts = try [32_768, 32_769].map { (distance) throws -> Int in
            let body = marker + [UInt8](repeating: 0, count: distance - marker.count) + marker
            let packed = packed(encoder, body)
            #expect(try Gunzip.bytes(packed) == body)
            return packed.count
        }
        // Further back, a repetition cannot be referred to.
        #expect(counts[0] + 200 < counts[1])
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
        let active = GzipEncoder(sample: plan.sampleConfigurationBytes(experimentCount: 100))
        for user in 0..<10 {
            let body = plan.configurationBytes(for: Subject(id: "user-\(user)"), at: Fixture.instant)
            let packed = packed(active, body)
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

    /// An entity tag stands for one sequence of bytes, on all servers of one version. A change of the encoder has to
    /// raise `EntityTag.form`.
    @Test("The compressed bytes depend on the definitions only")
    func bytesAreTheSameEverywhere() throws {
        let later = Instant(seconds: Fixture.instant.seconds + 86_400)
        let bodies = try [Fixture.instant, later].map { loadedAt in
            let plan = try Fixture.plan(loadedAt: loadedAt)
            return packed(
                GzipEncoder(sample: plan.sampleConfigurationBytes(experimentCount: 100)),
                plan.configurationBytes(for: Subject(id: "user-1"), at: Fixture.instant))
        }
        #expect(bodies[0] == bodies[1])
    }
}
