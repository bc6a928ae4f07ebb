import AllotServing
import AllotSigning
import Testing

struct SignatureCacheTests {
    @Test("A cache keeps what was signed last, and stays within its limit")
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
        for number in 0..<25 {
            let first = try ask("\(number)")
            #expect(try ask("\(number)") == first)
            #expect((1...10).contains(cache.count))
        }
        #expect(made.count == 25)
        _ = try ask("0")
        #expect(made.count == 26)
    }
}
