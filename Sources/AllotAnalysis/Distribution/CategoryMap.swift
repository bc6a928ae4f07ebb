import AllotCore

/// A randomisation in the buckets of the function under test: which category a unit's buckets mean, and which share of
/// all units each category must get, exactly.
struct CategoryMap: Sendable {
    /// The names of the categories; the last is the remainder where that has a share.
    let names: [String]
    let shareNumerators: [Int]
    let shareDenominator: Int
    /// First buckets from here on are not enrolled; `nil` if all units are.
    private let enrolmentEnd: UInt32?
    private let usesFirst: Bool
    /// In order; segment *n* lies below the boundary *n*, the last one above all of them.
    private let boundaries: [UInt32]
    private let segmentCategories: [UInt16]
    private let remainder: UInt16
    /// Up to this many boundaries, comparing with all of them is faster than a search.
    private static let fewBoundaries = 24

    init(_ randomisation: Randomisation, for function: any BucketingFunction) {
        let count = function.bucketCount
        // A bucket belongs to a range when its place in 0 ..< 1 does.
        let resolution = Int128(randomisation.hash.resolution)
        func scaled(_ bucket: Int) -> Int { Int((Int128(bucket) * Int128(count) + resolution - 1) / resolution) }
        usesFirst = randomisation.decidedBy == .first && function.hasEnrolmentBucket
        let traffic = function.hasEnrolmentBucket ? scaled(randomisation.traffic) : count
        // One bucket that decides both: what is not enrolled is cut off the categories.
        let (enrolled, end) = usesFirst ? (count, traffic) : (traffic, count)

        let categories = randomisation.categories.map { category in
            let ranges = category.ranges.map { scaled($0.lowerBound)..<scaled($0.upperBound) }
                .map { $0.clamped(to: 0..<end) }
            return (category.name, ranges.filter { !$0.isEmpty })
        }.filter { !$0.1.isEmpty }
        let sizes = categories.map { $0.1.reduce(0) { $0 + $1.count } }
        let owned = sizes.reduce(0, +)
        let restShare = count * count - owned * enrolled
        names = categories.map(\.0) + (restShare > 0 ? [randomisation.remainderName] : [])
        shareNumerators = sizes.map { $0 * enrolled } + (restShare > 0 ? [restShare] : [])
        shareDenominator = count * count
        enrolmentEnd = enrolled < count ? UInt32(enrolled) : nil

        let rest = UInt16(categories.count)
        remainder = rest
        var boundaries: [UInt32] = []
        var segments: [UInt16] = []
        var position = 0
        let ranges = categories.enumerated().flatMap { index, category in category.1.map { ($0, UInt16(index)) } }
        for (range, category) in ranges.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
            if range.lowerBound > position {
                boundaries.append(UInt32(range.lowerBound))
                segments.append(rest)
            }
            boundaries.append(UInt32(range.upperBound))
            segments.append(category)
            position = range.upperBound
        }
        self.boundaries = boundaries
        segmentCategories = segments + [rest]
    }

    var count: Int { names.count }
    var shares: [Double] { shareNumerators.map(Double.init) }

    func fill(_ categories: inout [UInt16], count: Int, from buckets: UnitBuckets) {
        var target = categories.mutableSpan
        let deciding = usesFirst ? buckets.first.span : buckets.second.span
        let boundaries = boundaries.span
        let segments = segmentCategories.span
        if boundaries.count <= Self.fewBoundaries {
            for index in 0..<count {
                let bucket = deciding[index]
                var segment = 0
                for boundary in boundaries.indices where bucket >= boundaries[boundary] { segment &+= 1 }
                target[index] = segments[segment]
            }
        } else {
            for index in 0..<count { target[index] = segments[Self.segment(of: deciding[index], boundaries)] }
        }
        guard let enrolmentEnd else { return }
        let firsts = buckets.first.span
        for index in 0..<count where firsts[index] >= enrolmentEnd { target[index] = remainder }
    }

    private static func segment(of bucket: UInt32, _ boundaries: Span<UInt32>) -> Int {
        var low = 0
        var high = boundaries.count
        while low < high {
            let middle = (low &+ high) / 2
            if boundaries[middle] <= bucket { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}
