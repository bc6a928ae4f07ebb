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
        arguments: [
            "1e9999999999999999999", "1e" + String(repeating: "9", count: 38), "1e100", "1e-000", "1e", "1e+",
        ])
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

    @Test("Versions compare as a simple implementation compares them", arguments: 0..<300)
    func versionsAgreeWithTheOracle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let (left, right) = (Self.versionLike(&random), Self.versionLike(&random))
            let (leftBytes, rightBytes) = (Array(left.utf8), Array(right.utf8))
            let (first, second) = (Version(leftBytes.span), Version(rightBytes.span))
            #expect((first != nil) == (VersionOracle(left) != nil), "\(left)")
            guard let first, let second, let oracle = VersionOracle(left), let other = VersionOracle(right) else {
                continue
            }
            let order = Version.compare(first, in: leftBytes.span, second, in: rightBytes.span)
            #expect(order == oracle.order(to: other), "\(left) \(right)")
        }
    }

    private static func versionLike(_ random: inout SeededGenerator) -> String {
        func pick(_ items: [String]) -> String { items[Int.random(in: 0..<items.count, using: &random)] }
        let numbers = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            pick(["0", "1", "2", "10", "99", "01", "18446744073709551616", ""])
        }
        var text = pick(["", "", "v", "V"]) + numbers.prefix(3).joined(separator: ".")
        if Bool.random(using: &random) {
            let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                pick(["a", "B", "1", "11", "2", "-", "x-1", "01", "0"])
            }
            text += "-" + parts.joined(separator: ".")
        }
        if Int.random(in: 0..<4, using: &random) == 0 { text += "+" + pick(["5", "a.b", "", "007", "ä"]) }
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

/// Semantic Versioning 2.0 by splitting text.
private struct VersionOracle {
    let numbers: [String]
    let preRelease: [String]

    init?(_ text: String) {
        var rest = Substring(text)
        if rest.hasPrefix("v") { rest = rest.dropFirst() }
        if let plus = rest.firstIndex(of: "+") {
            let build = rest[rest.index(after: plus)...].split(separator: ".", omittingEmptySubsequences: false)
            guard build.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isIdentifierByte) }) else { return nil }
            rest = rest[..<plus]
        }
        var preRelease: [String] = []
        if let dash = rest.firstIndex(of: "-") {
            preRelease = rest[rest.index(after: dash)...].split(separator: ".", omittingEmptySubsequences: false).map(
                String.init)
            guard preRelease.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isIdentifierByte) }),
                preRelease.allSatisfy({ !Self.isNumeric($0) || $0 == "0" || !$0.hasPrefix("0") })
            else { return nil }
            rest = rest[..<dash]
        }
        let numbers = rest.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(numbers.count),
            numbers.allSatisfy({ Self.isNumeric($0) && ($0 == "0" || !$0.hasPrefix("0")) })
        else { return nil }
        self.numbers = numbers + Array(repeating: "0", count: 3 - numbers.count)
        self.preRelease = preRelease
    }

    private static func isNumeric(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    }

    private static func isIdentifierByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
    }

    private static func order(_ left: String, _ right: String) -> Int {
        switch (isNumeric(left), isNumeric(right)) {
        case (true, true):
            let width = max(left.count, right.count)
            let (first, second) = (padded(left, width), padded(right, width))
            return first < second ? -1 : first == second ? 0 : 1
        case (true, false): return -1
        case (false, true): return 1
        default: return left == right ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: "0", count: width - text.count) + text
    }

    func order(to other: VersionOracle) -> Int {
        for (left, right) in zip(numbers, other.numbers) {
            let order = Self.order(left, right)
            if order != 0 { return order }
        }
        if preRelease.isEmpty || other.preRelease.isEmpty {
            return preRelease.isEmpty ? (other.preRelease.isEmpty ? 0 : 1) : -1
        }
        for (left, right) in zip(preRelease, other.preRelease) {
            let order = Self.order(left, right)
            if order != 0 { return order }
        }
        return (preRelease.count - other.preRelease.count).signum()
    }
}
