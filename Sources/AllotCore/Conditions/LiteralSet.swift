import AllotConfiguration

/// The literals of an `$in` or `$ini`, by type; a class, so that a test counts one reference instead of one for each
/// array.
final class LiteralSet: Sendable {
    private let texts: ByteTable
    private let ignoresCase: Bool
    private let numbers: [Double]
    private let hasTrue: Bool
    private let hasFalse: Bool
    private let hasNull: Bool

    init(_ literals: [JSONValue], ignoringCase: Bool) {
        ignoresCase = ignoringCase
        var texts: [[UInt8]] = []
        var numbers: [Double] = []
        for literal in literals {
            switch literal {
            case .string(let text):
                let bytes = Array(text.utf8)
                texts.append(ignoringCase ? CaseFolding.folded(bytes.span) : bytes)
            case .number(let number): numbers.append(number.double)
            case .boolean, .null, .array, .object: break
            }
        }
        hasTrue = literals.contains(.boolean(true))
        hasFalse = literals.contains(.boolean(false))
        hasNull = literals.contains(.null)
        self.numbers = numbers.sorted()
        self.texts = ByteTable(texts.map { ($0, 0) })
    }

    func contains(_ value: AttributeValue, _ bytes: Span<UInt8>) -> Bool {
        switch value.kind {
        case .missing, .null: return hasNull
        case .boolean: return value.length == 1 ? hasTrue : hasFalse
        case .number: return contains(value.number)
        case .array, .object: return false
        case .text, .untyped:
            if contains(bytes.extracting(value.range)) { return true }
            if !numbers.isEmpty, let number = value.number(in: bytes), contains(number) { return true }
            guard hasTrue || hasFalse, let flag = value.boolean(in: bytes) else { return false }
            return flag ? hasTrue : hasFalse
        }
    }

    private func contains(_ text: Span<UInt8>) -> Bool {
        guard ignoresCase else { return texts.find(text) != nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: texts.longestKey) { folded in
            var count = 0
            let fits = CaseFolding.forEachByte(text) { byte in
                guard count < folded.count else { return false }
                folded[count] = byte
                count += 1
                return true
            }
            return fits && texts.find(UnsafeBufferPointer(rebasing: folded[..<count]).span) != nil
        }
    }

    private func contains(_ number: Double) -> Bool {
        let index = numbers.indices.partitionPoint { numbers[$0] < number }
        return index < numbers.count && numbers[index] == number
    }
}
