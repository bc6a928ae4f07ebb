import AllotStatistics

extension DistributionSample {
    /// Tests what was counted.
    init(_ tally: StudyTally, layout: StudyLayout, name: String, notes: [String], trial: SaltTrial?) {
        self.name = name
        self.notes = notes
        self.trial = trial
        unitCount = tally.unitCount
        crossCounts = tally.cross
        divisions = layout.maps.indices.map { DivisionResult(tally, layout: layout, index: $0) }
        uniformity = Randomisation.Bucket.allCases.enumerated().compactMap { place, bucket in
            let cells = layout.pooledCells.count
            return UniformityResult(
                bucket, counts: tally.pooled[place * cells..<(place + 1) * cells],
                bucketCount: layout.function.bucketCount)
        }
        pairs = []
        pairs.reserveCapacity(layout.pairOffsets.count)
        layout.forEachPair { left, right in
            let offset = layout.pairOffsets[pairs.count]
            let table = CrossTable.full(
                crossCounts, at: offset, rows: divisions[left].categories.map(\.count),
                columns: divisions[right].categories.map(\.count))
            let sharesSalt = layout.randomisations[left].salt == layout.randomisations[right].salt
            pairs.append(
                PairResult(table, left: left, right: right, crossOffset: offset, sharesSalt: sharesSalt))
        }
    }
}

extension PairResult {
    fileprivate init(_ table: [[Int]], left: Int, right: Int, crossOffset: Int, sharesSalt: Bool) {
        self.left = left
        self.right = right
        self.crossOffset = crossOffset
        self.sharesSalt = sharesSalt
        (test, phi) = CountTest.independence(of: table)
    }
}

extension DivisionResult {
    fileprivate init(_ tally: StudyTally, layout: StudyLayout, index: Int) {
        let map = layout.maps[index]
        let offset = layout.countOffsets[index]
        let counts = Array(tally.categoryCounts[offset..<offset + map.count])
        randomisation = layout.randomisations[index]
        let categories = map.names.indices.map { category in
            Category(
                name: map.names[category], count: counts[category], shareNumerator: map.shareNumerators[category],
                shareDenominator: map.shareDenominator, unitCount: tally.unitCount)
        }
        self.categories = categories
        shares = (try? ChiSquare(counts: counts, shares: map.shares)).flatMap { test in
            CountTest.result(
                statistic: test.statistic, degreesOfFreedom: test.degreesOfFreedom, pValue: test.pValue,
                cells: categories.map { ($0.count, $0.expected) })
        }
        let cells = layout.ownCells.count
        func buckets(_ bucket: Randomisation.Bucket, _ place: Int) -> UniformityResult? {
            let start = (2 * index + place) * cells
            return UniformityResult(
                bucket, counts: tally.own[start..<start + cells], bucketCount: layout.function.bucketCount)
        }
        firstBuckets = layout.usesFirst ? buckets(.first, 0) : nil
        secondBuckets = layout.usesSecond(index) ? buckets(.second, 1) : nil
        let parts = layout.jointCells.count
        partCount = parts
        guard layout.usesBoth(index), parts > 1 else { return }
        let table = (0..<parts).map { row in
            (0..<parts).map { Int(tally.joint[(index * parts + row) * parts + $0]) }
        }
        independence = CountTest.independence(of: table).test
    }
}
