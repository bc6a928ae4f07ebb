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
}
