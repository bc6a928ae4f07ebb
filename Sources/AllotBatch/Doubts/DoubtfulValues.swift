import AllotConfiguration
@_spi(Groups) import AllotCore

/// The values of a file that are probably not what they are read as: words for nothing and rounded numbers where a unit
/// ID belongs, texts that are not instants where conditions need one, and fields that are probably rows. `Sendable`.
///
/// They are counted, and they decide nothing: `NULL` is a unit ID like any other unless it is declared as missing.
public struct DoubtfulValues: BatchStatistics, Hashable {
    /// The kind of doubt about a value.
    public enum Kind: Int, Sendable {
        /// A unit ID that programs write for nothing, such as `NULL`.
        case wordForNothing
        /// A unit ID that is written as a floating-point number, such as `1e+06`.
        case floatingPoint
        /// A unit ID with a space or a tab at an end.
        case blanks
        /// A text that conditions need as an instant.
        case noInstant
    }

    /// Values of one kind in one column.
    public struct Entry: Sendable, Hashable {
        /// The kind of doubt.
        public let kind: Kind
        /// The name of the column.
        public let column: String
        /// The smallest value, so that it does not depend on the order of rows; for ``Kind/wordForNothing`` the
        /// spelling of all of them.
        public fileprivate(set) var example: String
        /// The number of rows.
        public fileprivate(set) var rowCount: Int
    }

    /// The values by kind, column and spelling.
    public var entries: [Entry] {
        found.sorted {
            if $0.kind != $1.kind { return $0.kind.rawValue < $1.kind.rawValue }
            let isSame = UTF8Order.areEqual($0.column, $1.column)
            return isSame ? UTF8Order.precedes($0.example, $1.example) : UTF8Order.precedes($0.column, $1.column)
        }
    }

    private var found: [Entry] = []
    var columnSentences: [String] = []
    /// The fields of very many lines of the whole file.
    var longFields = LongFields()

    /// The most entries: spellings of a word in upper and lower case are many.
    private static let entryLimit = 100

    mutating func note(unit id: Span<UInt8>, of column: String) {
        let lengths = UnitSuspicion.lengths
        guard UnitSuspicion.mayApply(0, id.count, id, lengths.span), let kind = UnitSuspicion.kind(of: id) else {
            return
        }
        add(kind, id, of: column)
    }

    mutating func note(instant text: Span<UInt8>, of column: String) {
        if text.count > 0, Instant(utf8: text) == nil { add(.noInstant, text, of: column) }
    }

    mutating func note(_ group: RowGroup, _ columns: [WatchedColumn], _ bytes: Span<UInt8>) {
        for column in columns {
            if column.isUnit { noteUnits(group, column, bytes) }
            if column.isInstant { noteInstants(group, column, bytes) }
        }
    }

    /// Looks at the length and a few bytes of an ID, and at the rest only of suspicious ones.
    private mutating func noteUnits(_ group: RowGroup, _ column: WatchedColumn, _ bytes: Span<UInt8>) {
        let (values, stride, end) = (group.values.span, group.attributeCount, group.count &* group.attributeCount)
        let lengths = UnitSuspicion.lengths.span
        precondition(end <= values.count && column.attribute >= 0 && lengths.count == 256)
        var index = column.attribute
        while index < end {
            let value = values[unchecked: index]
            index &+= stride
            if UnitSuspicion.mayApply(value.start, value.length, bytes, lengths) {
                note(unit: bytes.extracting(value.range), of: column.name)
            }
        }
    }

    private mutating func noteInstants(_ group: RowGroup, _ column: WatchedColumn, _ bytes: Span<UInt8>) {
        for row in 0..<group.count {
            let value = group.values[group.valueRange(row).lowerBound &+ column.attribute]
            if value.length > 0 { note(instant: bytes.extracting(value.range), of: column.name) }
        }
    }

    @inline(never)
    private mutating func add(_ kind: Kind, _ value: Span<UInt8>, of column: String) {
        add(Entry(kind: kind, column: column, example: String(copying: value), rowCount: 1))
    }

    private mutating func add(_ entry: Entry) {
        let isFull = found.count == Self.entryLimit
        let index = found.firstIndex {
            $0.kind == entry.kind && UTF8Order.areEqual($0.column, entry.column)
                && (entry.kind != .wordForNothing || isFull || UTF8Order.areEqual($0.example, entry.example))
        }
        guard let index else { return found.append(entry) }
        found[index].rowCount += entry.rowCount
        if UTF8Order.precedes(entry.example, found[index].example) { found[index].example = entry.example }
    }

    mutating func merge(_ next: Self) {
        for entry in next.found { add(entry) }
    }
}

struct WatchedColumn: Sendable {
    let attribute: Int
    let name: String
    let isUnit: Bool
    /// Whether conditions read it as instants.
    let isInstant: Bool
}

extension DoubtfulValues {
    /// A sentence for each entry, one for fields of very many lines and some on columns, with what to do.
    package var sentences: [String] {
        columnSentences + [longFields.sentence].compactMap { $0 } + entries.map(sentence)
    }

    private func sentence(_ entry: Entry) -> String {
        let rows = entry.rowCount == 1 ? "1 row has" : "\(entry.rowCount) rows have"
        let (column, example) = (QuotedText(entry.column), QuotedText(entry.example))
        return switch entry.kind {
        case .wordForNothing:
            "\(rows) \(example) as the unit ID in \(column), and all of them are one unit; if they have no unit, "
                + "leave the field empty, or declare the word as null"
        case .floatingPoint:
            "\(rows) a floating-point number as the unit ID in \(column), such as \(example), which is another "
                + "unit than the whole number; write IDs as whole numbers or as text"
        case .blanks:
            "\(rows) a unit ID in \(column) that begins or ends with a blank, such as \(example), which is another "
                + "unit than the ID without it; remove the blanks"
        case .noInstant:
            "\(rows) a text in \(column) that no test of an instant can read; \(example) "
                + Instant.fault(of: entry.example)
        }
    }
}

enum UnitSuspicion {
    /// The words that programs write for nothing, in lower case, and the advertising ID of users who refuse one.
    private static let words = [
        "null", "none", "nan", "na", "n/a", "nat", "nil", "undefined", "\\n", "\\null", "(null)", "(none)", "(nil)",
        "(not set)", "<null>", "<none>", "<na>", "<nan>", "<nil>", "[null]", "[object object]", "#n/a", "#na", "#null!",
        "-nan", "inf", "-inf", "infinity", "00000000-0000-0000-0000-000000000000",
    ].map { Array($0.utf8) }

    private static let blanks: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]

    /// By the first byte of an ID, the lengths of doubtful IDs that begin with it: bit *i* is set for *i* bytes.
    static let lengths: [UInt64] = {
        var lengths = [UInt64](repeating: 0, count: 256)
        for word in words {
            for byte in [word[0], word[0] &- 0x20] where byte == word[0] || word[0] &- UInt8(ascii: "a") < 26 {
                lengths[Int(byte)] |= 1 << UInt64(word.count)
            }
        }
        // No floating-point number takes more than 24 bytes, so that hashes and UUIDs are not looked at.
        for byte in "0123456789-".utf8 { lengths[Int(byte)] |= (1 << 25) - 4 }
        for byte in blanks { lengths[Int(byte)] = .max }
        return lengths
    }()

    /// Whether an ID may be doubtful, from its length and a few of its bytes.
    @inline(__always)
    static func mayApply(_ start: Int, _ count: Int, _ bytes: Span<UInt8>, _ lengths: Span<UInt64>) -> Bool {
        guard count > 1 else { return false }
        let first = bytes[start]
        // A shift by more than 63 gives 0. Only blanks and control characters are below 0x21.
        guard lengths[unchecked: Int(first)] >> count & 1 != 0 else { return bytes[start &+ count &- 1] < 0x21 }
        guard first &- UInt8(ascii: "0") < 10, count > 3 else { return true }
        if count > 24 { return bytes[start &+ 7] == first }
        // Of a whole number the last bytes are digits: 0x30 to 0x39.
        let last = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start &+ count &- 4, as: UInt32.self)
        return last & 0xF0F0_F0F0 != 0x3030_3030
    }

    /// The kind of doubt about an ID. Returns `nil` if nothing is.
    @inline(never)
    static func kind(of id: Span<UInt8>) -> DoubtfulValues.Kind? {
        var (start, end) = (0, id.count)
        while start < end, blanks.contains(id[start]) { start += 1 }
        while start < end, blanks.contains(id[end - 1]) { end -= 1 }
        let text = id.extracting(start..<end)
        if isFloatingPoint(text) { return .floatingPoint }
        if isWord(text) { return .wordForNothing }
        return text.count < id.count ? .blanks : nil
    }

    private static func isWord(_ id: Span<UInt8>) -> Bool {
        words.contains { word in
            guard word.count == id.count else { return false }
            for index in id.indices {
                let byte = id[index]
                guard (byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte) == word[index] else { return false }
            }
            return true
        }
    }

    /// Whether an ID is a number with a fraction of zeros, `1.0`, or one with an exponent, `1e+06` and `1.23457E+12`.
    /// `1e10` is not one: it may be hexadecimal.
    private static func isFloatingPoint(_ id: Span<UInt8>) -> Bool {
        var index = id.count > 0 && id[0] == UInt8(ascii: "-") ? 1 : 0
        func digits(_ accepts: (UInt8) -> Bool = { _ in true }) -> Int {
            let start = index
            while index < id.count, id[index] &- UInt8(ascii: "0") < 10, accepts(id[index]) { index += 1 }
            return index - start
        }
        guard digits() > 0, index < id.count else { return false }
        var hasFraction = false
        if id[index] == UInt8(ascii: ".") || id[index] == UInt8(ascii: ",") {
            index += 1
            guard digits({ $0 == UInt8(ascii: "0") }) == 0 || index < id.count else { return true }
            _ = digits()
            hasFraction = true
        }
        guard index < id.count, id[index] | 0x20 == UInt8(ascii: "e") else { return false }
        index += 1
        let isSigned = index < id.count && (id[index] == UInt8(ascii: "+") || id[index] == UInt8(ascii: "-"))
        if isSigned { index += 1 }
        return digits() > 0 && index == id.count && (hasFraction || isSigned)
    }
}
