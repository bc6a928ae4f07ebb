/// A line and column that follow an offset forward through a chunk. Complexity: O(1) per byte passed.
public struct ChunkPosition: Sendable, Hashable {
    private var offset = 0
    /// The number of line feeds of the chunk before the offset.
    public private(set) var lineFeeds = 0
    /// The column in Unicode scalars, from 1.
    public private(set) var column = 1

    /// Creates a position at the start of a chunk.
    public init() {}

    /// Moves forward to an offset; one behind the present offset is ignored, one behind the chunk means its end.
    public mutating func advance(to target: Int, in chunk: Span<UInt8>) {
        let target = min(target, chunk.count)
        while offset < target {
            let byte = chunk[offset]
            offset += 1
            if byte == CSVByte.lineFeed {
                lineFeeds += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}

/// Counting of lines.
enum LineFeeds {
    /// The number of line feeds in `bytes`. Complexity: O(*n*), several bytes at a time.
    static func count(in bytes: Span<UInt8>) -> Int {
        var total = 0
        var index = 0
        while index < bytes.count {
            // Sums of at most 255 ones fit in a byte, so that the compiler can add whole vectors of them.
            let end = min(index + 255, bytes.count)
            var sum: UInt8 = 0
            while index < end {
                sum &+= bytes[index] == CSVByte.lineFeed ? 1 : 0
                index += 1
            }
            total += Int(sum)
        }
        return total
    }
}
