import Testing

@testable import AllotBatch

struct RowWriterTests {
    @Test("Every bucket is written in decimal digits")
    func writesEveryBucketInDecimalDigits() {
        var output: [UInt8] = []
        var expected: [UInt8] = []
        for bucket in 0..<1_000_000 {
            RowWriter.append(to: &output, atMost: RowWriter.room(6)) { $0.write(bucket: bucket) }
            expected += String(bucket).utf8
        }
        #expect(output == expected)
    }

    /// Parts of every length, at every distance from the end of what they are part of.
    @Test("A part of other bytes is written exactly")
    func writesParts() {
        let bytes = (0..<80).map { UInt8($0) }
        for start in 0...80 {
            for end in start...80 {
                var output: [UInt8] = [1, 2, 3]
                RowWriter.append(to: &output, atMost: RowWriter.room(end - start) + 1) { writer in
                    writer.write(start..<end, of: bytes.span)
                    writer.write(10)
                }
                let expected: [UInt8] = [1, 2, 3] + Array(bytes[start..<end]) + [10]
                #expect(output == expected)
            }
        }
    }
}
