/// The records of a chunk from a place on, as long as they are plain: of ASCII without quotes and control characters,
/// with the right number of fields. Where it ends, `CSVRecordParser` goes on.
///
/// Files are mostly of such records, and a loop that handles nothing else takes half the time.
struct PlainRecords {
    /// Where the next record starts.
    private(set) var position: Int
    /// The bytes of the last record, without its line feed.
    private(set) var record: Range<Int>
    // The block of `position`, and its marks from there on.
    private(set) var blockStart: Int
    private(set) var marks: UInt64
    private var lineFeeds: UInt64

    /// Begins at a record. Returns `nil` at the end of the chunk, and if a byte in the record's first block needs the
    /// parser.
    ///
    /// - Parameter blockStart: The start of a block that contains `position`, or ends right before it.
    @inline(__always)
    init?(_ chunk: Span<UInt8>, from position: Int, blockStart: Int) {
        guard position < chunk.count else { return nil }
        (self.position, record, self.blockStart) = (position, position..<position, blockStart)
        (marks, lineFeeds) = (0, 0)
        let distance = position &- blockStart
        guard distance < ByteBlock.size else { return }
        guard let found = ByteBlock.plainMarks(chunk, at: blockStart) else { return nil }
        marks = found.marks & (.max &<< UInt64(distance))
        lineFeeds = found.lineFeeds
    }

    /// Finds the fields of the next record, as many as `fields` has. Returns `false`, and stays where it is, if the
    /// record is not plain or does not end with a line feed.
    @inline(__always)
    mutating func next(in chunk: Span<UInt8>, _ fields: inout MutableSpan<CSVField>) -> Bool {
        var (blockStart, marks, lineFeeds) = (blockStart, marks, lineFeeds)
        var start = position
        var count = 0
        while true {
            while marks == 0 {
                blockStart &+= ByteBlock.size
                guard blockStart < chunk.count, let found = ByteBlock.plainMarks(chunk, at: blockStart) else {
                    return false
                }
                (marks, lineFeeds) = found
            }
            guard count < fields.count else { return false }
            let offset = blockStart &+ marks.trailingZeroBitCount
            let rest = marks & (marks &- 1)
            fields[count] = CSVField(start: start, end: offset)
            count &+= 1
            start = offset &+ 1
            let isEnd = lineFeeds & (marks ^ rest) != 0
            marks = rest
            guard isEnd else { continue }
            guard count == fields.count else { return false }
            (record, position) = (position..<offset, start)
            (self.blockStart, self.marks, self.lineFeeds) = (blockStart, marks, lineFeeds)
            return true
        }
    }
}
