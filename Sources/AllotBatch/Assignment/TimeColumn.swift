import AllotConfiguration
import AllotCore

/// The column in which each row has its own instant of evaluation.
struct TimeColumn: Sendable {
    let index: Int
    let name: String

    /// The instant of a field. Returns `nil` for anything but RFC 3339 with an offset, of the years 0 to 9999 in UTC.
    @inline(__always)
    static func instant(_ field: CSVField, of chunk: Span<UInt8>) -> Instant? {
        guard let instant = Instant(utf8: chunk.extracting(field.range)), Instant.writable.contains(instant) else {
            return nil
        }
        return instant
    }

    func problem(_ record: borrowing CSVRecordParser, of chunk: Span<UInt8>, _ nullWords: NullWords) -> RowProblem {
        let field = record[index]
        let text = field.text(in: chunk)
        return RowProblem(
            offset: field.writtenRange.lowerBound,
            message: Self.fault(of: nullWords.contains(Array(text.utf8).span) ? "" : text, in: name))
    }

    /// The fault of a text that is not an instant, in the column of a name.
    static func fault(of text: String, in name: String) -> String {
        text.isEmpty
            ? "\(QuotedText(name)) is empty; \(Instant.form)"
            : "\(QuotedText(text)) in the column \(QuotedText(name)) \(Instant.fault(of: text))"
    }
}
