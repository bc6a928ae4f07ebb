/// Sets of the units of a block, a bit for each unit: the units of two categories at once are counted 64 at a time.
enum BitSets {
    static func fill(
        _ words: inout [UInt64], at offset: Int, wordCount: Int, setCount: Int, from categories: [UInt16], count: Int
    ) {
        var target = words.mutableSpan
        let categories = categories.span
        for word in offset..<offset + wordCount * setCount { target[word] = 0 }
        guard setCount > 1 else {
            // Two categories are the rule: one set.
            for word in 0..<wordCount {
                var bits: UInt64 = 0
                let start = word &* 64
                for bit in 0..<min(64, count &- start) {
                    bits |= (categories[start &+ bit] == 0 ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
                }
                target[offset &+ word] = bits
            }
            return
        }
        for unit in 0..<count {
            let category = Int(categories[unit])
            guard category < setCount else { continue }
            target[offset &+ category &* wordCount &+ unit &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: unit & 63)
        }
    }

    static func count(_ words: [UInt64], _ range: Range<Int>) -> Int {
        let words = words.span
        var count = 0
        for word in range { count &+= words[word].nonzeroBitCount }
        return count
    }

    /// Adds, for each pair of randomisations and each two of their categories but the last ones, the number of units
    /// that are in both.
    static func countMeetings(_ sums: inout [UInt32], of words: [UInt64], wordCount: Int, layout: StudyLayout) {
        var sums = sums.mutableSpan
        let words = words.span
        var cell = 0
        layout.forEachPair { left, right in
            for first in 0..<layout.maps[left].count - 1 {
                let start = (layout.bitSetOffsets[left] + first) &* wordCount
                for second in 0..<layout.maps[right].count - 1 {
                    let other = (layout.bitSetOffsets[right] + second) &* wordCount
                    var count = 0
                    for word in 0..<wordCount {
                        count &+= (words[start &+ word] & words[other &+ word]).nonzeroBitCount
                    }
                    sums[cell] &+= UInt32(truncatingIfNeeded: count)
                    cell &+= 1
                }
            }
        }
    }
}
