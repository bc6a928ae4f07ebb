import NIOCore
import Testing

@testable import AllotTLS

struct FrameEndsTests {
    /// Looks for ends in bytes that come in parts of a length. Returns the answer for each part.
    private func ends(_ bytes: [UInt8], inPartsOf length: Int) -> [Bool] {
        var ends = FrameEnds()
        return stride(from: 0, to: bytes.count, by: length).map { start in
            let part = ByteBuffer(bytes: bytes[start..<min(start + length, bytes.count)])
            return ends.anyEnds(in: part.readableBytesView)
        }
    }

    private static let frames: [HTTP2Frame] = [
        .settings(), .settings([(1, 0)]), .get("/", 1), .data(1, Array(repeating: 7, count: 16_384), ends: true),
        .data(1, Array(repeating: 7, count: 70_000)), .windowUpdate(0, 1), HTTP2Frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8]),
    ]

    @Test("The ends of frames are found however their bytes come", arguments: [1, 2, 3, 8, 9, 10, 24, 4096, 1_000_000])
    func wholeFrames(length: Int) {
        let parts = [HTTP2Frame.preface] + Self.frames.map(\.bytes)
        // The last byte of each.
        let last = parts.indices.map { parts[...$0].reduce(0) { $0 + $1.count } - 1 }
        let found = ends(parts.flatMap { $0 }, inPartsOf: length)
        for (number, anyEnds) in found.enumerated() {
            let range = number * length..<(number + 1) * length
            #expect(anyEnds == last.contains(where: range.contains), "\(range)")
        }
    }

    @Test("A part of a preface, of a head or of a payload is not a frame")
    func partsOfFrames() {
        let preface = HTTP2Frame.preface
        let data = HTTP2Frame.data(1, [1, 2, 3]).bytes
        // Empty frames end with their heads, and so not before the last byte of them.
        let empty = HTTP2Frame.settings().bytes
        for frame in [preface, preface + data, preface + empty] {
            let found = ends(frame, inPartsOf: 1)
            #expect(found.count { $0 } == (frame.count > preface.count ? 2 : 1))
            #expect(found.last == true)
        }
    }
}
