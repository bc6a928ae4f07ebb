import AllotBatch
import AllotConfiguration
import AllotCore

extension Double {
    /// Reads the number of a metric or a covariate. Returns `nil` for other text, and for a number so large that a sum
    /// of squares would overflow.
    init?(metric text: Span<UInt8>) {
        guard let number = Double(attributeText: text), abs(number) < 1e140 else { return nil }
        self = number
    }
}

extension CSVRows {
    /// The number of a metric in a field of the current row: a number, or `true` as 1 and `false` as 0; `nil` for an
    /// empty one. Throws `CSVError` for another text, and for numbers whose squares have no sum.
    func metric(_ column: Int) throws -> Double? {
        let field = bytes.span.extracting(self[column])
        if field.isEmpty { return nil }
        if let number = Double(metric: field) { return number }
        switch text(column).lowercased() {
        case "true": return 1
        case "false": return 0
        default:
            throw error(
                in: column, "\(QuotedText(text(column))) is not a number; a metric has numbers, or true and false")
        }
    }
}
