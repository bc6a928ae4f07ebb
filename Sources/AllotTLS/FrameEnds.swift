import NIOCore

/// Finds the frames of HTTP/2 that end in the bytes of a connection (RFC 9113, sections 3.4 and 4.1). `Sendable`.
///
/// A client that sends a byte of a frame now and then gets nowhere: only the end of a frame shows that it is alive.
struct FrameEnds: Sendable {
    /// The part of the next byte.
    private enum Part {
        /// The head of a frame, of which some bytes were received; `length` is the payload's, as far as it is known.
        case head(received: Int, length: Int)
        /// The client's preface or the payload of a frame, of which some bytes are left.
        case rest(left: Int)
    }

    private static let prefaceLength = 24
    private static let headLength = 9
    /// The bytes of a head that say how long the payload is.
    private static let lengthBytes = 3

    private var part = Part.rest(left: prefaceLength)

    /// Takes the next bytes. Returns whether a frame, or the preface, ends in them.
    mutating func anyEnds(in bytes: ByteBufferView) -> Bool {
        var (rest, anyEnds) = (bytes, false)
        while let byte = rest.first {
            switch part {
            case .rest(let left):
                let taken = min(left, rest.count)
                rest = rest.dropFirst(taken)
                part = taken < left ? .rest(left: left - taken) : .head(received: 0, length: 0)
                if taken == left { anyEnds = true }
            case .head(let received, var length):
                rest = rest.dropFirst()
                if received < Self.lengthBytes { length = length << 8 | Int(byte) }
                if received + 1 < Self.headLength {
                    part = .head(received: received + 1, length: length)
                } else if length > 0 {
                    part = .rest(left: length)
                } else {
                    part = .head(received: 0, length: 0)
                    anyEnds = true
                }
            }
        }
        return anyEnds
    }
}
