import AllotServing
import AllotSigning
import Testing

struct SignatureCacheTests {
    @Test("A cache stays within its limit")
    func staysBounded() throws {
        let key = try SigningKey.generate(.es256)
        let cache = SignatureCache(limit: 10)
        var made: [String] = []
        func ask(_ name: String) throws -> String {
            try cache.signature(of: name, by: key) {
                made.append(name)
                return Array(name.utf8)
            }
        }
        let wanted = try ask("wanted")
        for number in 0..<100 {
            _ = try ask("\(number)")
            // What is asked for again and again stays.
            #expect(try ask("wanted") == wanted)
            #expect(cache.count <= 10)
        }
        #expect(made.count == 101)
        _ = try ask("0")
        #expect(made.count == 102)
    }

    @Test("Another key empties the cache")
    func anotherKeyEmptiesIt() throws {
        let (one, other) = (try SigningKey.generate(.es256), try SigningKey.generate(.es256))
        let cache = SignatureCache()
        let first = try cache.signature(of: "a", by: one) { [1] }
        _ = try cache.signature(of: "b", by: one) { [2] }
        #expect(cache.count == 2)
        #expect(try cache.signature(of: "a", by: other) { [1] } != first)
        #expect(cache.count == 1)
    }
}
