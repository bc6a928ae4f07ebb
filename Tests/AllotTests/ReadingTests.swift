import TestSupport
import Testing

@testable import AllotCore

/// Fast readers against slow, simple ones.
struct ReadingTests {
    private static let numberGrammar = "^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]{1,2})?$"

    @Test("Text is read as the same number as by the standard library", arguments: 0..<300)
    func numbersAgreeWithTheStandardLibrary(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let grammar = try RegularExpression(Self.numberGrammar, ignoresCase: false)
        for _ in 0..<40 {
            let text = Self.numberLike(&random)
            let expected = grammar.matches(text) && text.utf8.count <= 40 ? Double(text) : nil
            #expect(Double(attributeText: Array(text.utf8).span) == expected, "\(text)")
        }
    }

    /// Forty bytes hold exponents that no integer holds.
    @Test(
        "Text with an exponent outside the grammar is not a number",
        arguments: ["1e9999999999999999999", "1e" + String(repeating: "9", count: 38), "1e100", "1e-000", "1e", "1e+"])
    func exponentsOutsideTheGrammarAreRejected(text: String) {
        #expect(Double(attributeText: Array(text.utf8).span) == nil)
    }

    /// Unit IDs that count upwards must not fall on the same slots.
    @Test("Sequential keys are spread over a hash table", arguments: ["user-", "customer-000", ""])
    func sequentialKeysSpread(prefix: String) {
        let capacity = 65_536
        var probes = 0
        var taken: Set<Int> = []
        for number in 10_000_000..<10_020_000 {
            var slot = Int(ByteHash.hash(Array("\(prefix)\(number)".utf8).span) % UInt64(capacity))
            while !taken.insert(slot).inserted {
                slot = (slot + 1) % capacity
                probes += 1
            }
        }
        // Knuth, "The Art of Computer Programming", 6.4: 0.22 per key for random slots at this load.
        #expect(probes < 6000)
    }

    private static func numberLike(_ random: inout SeededGenerator) -> String {
        func digits(_ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &random)).map { _ in String(Int.random(in: 0...9, using: &random)) }
                .joined()
        }
        var text = Bool.random(using: &random) ? "-" : ""
        text += digits(0...20)
        if Bool.random(using: &random) { text += "." + digits(0...20) }
        if Bool.random(using: &random) {
            text += ["e", "E", "e-", "E+", "e+"].randomElement(using: &random) ?? "" + digits(0...3)
        }
        if Int.random(in: 0..<10, using: &random) == 0 {
            text += [" ", "x", "e5", "."].randomElement(using: &random) ?? ""
        }
        return text
    }

    @Test("A byte table has the contents of a dictionary", arguments: 0..<200)
    func tablesAgreeWithDictionaries(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func key() -> [UInt8] {
            (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 97...99, using: &random) }
        }
        let pairs = (0..<Int.random(in: 0...60, using: &random)).map { (key: key(), value: $0) }
        let table = ByteTable(pairs)
        let dictionary = Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        #expect(table.count == dictionary.count)
        for key in pairs.map(\.key) + (0..<60).map({ _ in key() }) { #expect(table.find(key.span) == dictionary[key]) }
    }

    @Test("Every scalar is folded to its lower case in the standard library")
    func foldingAgreesWithTheStandardLibraryOnEveryScalar() {
        for value in (0...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
            let folded = CaseFolding.folded(Array(String(value).utf8).span)
            #expect(folded.elementsEqual(value.properties.lowercaseMapping.utf8))
        }
    }
}
