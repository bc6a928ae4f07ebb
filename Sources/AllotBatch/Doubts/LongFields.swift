/// The quoted fields of very many lines, which are probably rows: one stray quote and the next make one field of all
/// lines between them, and the row may be well formed. `Sendable`.
struct LongFields: Sendable, Hashable {
    /// The fewest line feeds of such a field: texts of people rarely have as many.
    static let lineFeedLimit = 99

    private(set) var count = 0
    /// The place where the longest one opens: an offset, then the number of line feeds before it, then a line.
    private(set) var place = 0
    private(set) var lineCount = 0

    /// Counts a field, if it is long.
    @inline(__always)
    mutating func note(place: Int, lineFeeds: Int) {
        if lineFeeds >= Self.lineFeedLimit { add(place: place, lineCount: lineFeeds &+ 1, count: 1) }
    }

    private mutating func add(place: Int, lineCount: Int, count: Int) {
        self.count += count
        guard lineCount > self.lineCount else { return }
        (self.place, self.lineCount) = (place, lineCount)
    }

    /// The fields that a parser found in a chunk, with line feeds in place of offsets.
    func counted(in chunk: Span<UInt8>) -> Self {
        var fields = self
        fields.place = LineFeeds.count(in: chunk.extracting(first: place))
        return fields
    }

    /// Adds the fields of the next chunk, which begins on a line.
    mutating func merge(_ next: Self, firstLine: Int) {
        add(place: firstLine + next.place, lineCount: next.lineCount, count: next.count)
    }

    /// A sentence on the fields, with what to do; `nil` if there are none.
    var sentence: String? {
        guard count > 0 else { return nil }
        let longest = count == 1 ? "" : ", the longest of \(count) such fields"
        return "the quote in line \(place) opens a field of \(lineCount) lines\(longest); if its lines are rows, the "
            + "quote is a stray one: remove it, or put the field in quotes and double it"
    }
}
