import NIOCore
import Testing

@testable import AllotTLS

struct FrameEndsTests {
    /// Counts in bytes that come in parts of a length.
    private func ends(_ bytes: [UInt8], inPartsOf length: Int) -> Int {
        var ends = FrameEnds()
        return stride(from: 0, to: bytes.count, by: length).reduce(0) { count, start in
            let part = ByteBuffer(bytes: bytes[start..<min(start + length, bytes.count)])
            return count + ends.count(in: part.readableBytesView)
        }
    }

    private static let frames: [HTTP2Frame] = [
        .settings(), .settings([(1, 0)]), .get("/", 1), .data(1, Array(repeating: 7, count: 16_384), ends: true),
        .data(1, Array(repeating: 7, count: 70_000)), .windowUpdate(0, 1), HTTP2Frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8]),
    ]

    @Test("Whole frames are counted however their bytes come", arguments: [1, 2, 3, 8, 9, 10, 24, 4096, 1_000_000])
    func wholeFrames(length: Int) {
        let bytes = HTTP2Frame.preface + Self.frames.flatMap(\.bytes)
        #expect(ends(bytes, inPartsOf: length) == 1 + Self.frames.count)
    }

    @Test("A part of a preface, of a head or of a payload is not a frame")
    func partsOfFrames() {
        let preface = HTTP2Frame.preface
        let data = HTTP2Frame.data(1, [1, 2, 3]).bytes
        let cases: [(bytes: [UInt8], ends: Int)] = [
            ([], 0), (Array(preface.dropLast()), 0), (preface, 1), (preface + data.prefix(3), 1),
            (preface + data.prefix(9), 1), (preface + data.dropLast(), 1), (preface + data, 2),
            (preface + data + data.prefix(1), 2),
            // An empty frame ends with its head, and so not before the last byte of that.
            (preface + HTTP2Frame.settings().bytes.dropLast(), 1), (preface + HTTP2Frame.settings().bytes, 2),
        ]
        for (bytes, count) in cases {
            for length in [1, 5, 1000] { #expect(ends(bytes, inPartsOf: length) == count, "\(bytes.count) bytes") }
        }
    }
}
