import Testing

@testable import AllotBatch
@_spi(Groups) @testable import AllotCore

struct RowWriterTests {
    @Test("Every bucket is written in decimal digits")
    func writesEveryBucketInDecimalDigits() {
        var output: [UInt8] = []
        var expected: [UInt8] = []
        let others = [1_000_000, 1_000_005, 9_999_999, 100_000_000, 2_147_483_647, 999_999_999_999]
        for bucket in Array(0..<1_000_000) + others {
            RowWriter.append(to: &output, atMost: BucketDigits.room) { $0.write(bucket: bucket) }
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
