import AllotConfiguration
import AllotCore
import AllotStatistics

extension SampleRatioReport {
    /// The facts about a period that are known before the levels of its tests.
    struct Draft: Sendable {
        let name: RatioPeriod.Name
        let shares: VariantShares
        /// The counted units in the order of time, in classes that are their variants.
        let sample: RecordSample
        let counts: [Int]
        private(set) var rows: RowCounts
        let unknown: UnknownVariants
        private(set) var several: MultipleExposures
        let withoutSeveral: RatioTest?
        let attributes: RecordAttributes
        /// `nil` where decisions are not repeated.
        let attribution: AttributionTally?
        let carryOver: ReturningUnits?
        /// Whether rows have times that can be read, or are said to be in the order of time.
        let isTimed: Bool
        let isDeclared: Bool
        let hasWindows: Bool
        let isBalanced: Bool

        var otherTestCount: Int {
            let named = attributes.values.attributes.count { $0.isNamed && !$0.isDropped }
            // One test of values, and one of pairs of values.
            return min(named + (attributes.time == nil ? 0 : 1), 2) + (attribution?.wrong.unitCount ?? 0 > 0 ? 2 : 0)
                + (withoutSeveral == nil ? 0 : 1) + (carryOver?.testCount ?? 0)
        }

        init(
            _ question: SampleRatioQuestion, _ columns: SampleRatioColumns, keys: [String], number: Int,
            _ period: RatioPeriod, _ shares: VariantShares, _ units: PeriodUnits, _ randomisation: SaltUnits,
            before: [Int: Int]
        ) throws(SampleRatioError) {
            let (ledger, confidence) = (randomisation.ledger, 1 - 2 * question.analysis.threshold)
            name = period.name
            self.shares = shares
            hasWindows = period.hasWindows
            isBalanced = period.windows?.isBalanced ?? false
            rows = period.rows
            unknown = period.unknown(keys)
            guard rows.rows > 0 else { throw .nothingCounted(rows) }
            var sample = RecordSample(weights: randomisation.weights, classCount: shares.variants.count)
            sample.records = ledger.inOrder(units.counted)
            sample.classes = sample.records.map { UInt16(period.place(of: Int(ledger.records[Int($0)].variant))) }
            self.sample = sample
            counts = sample.counts
            guard counts.contains(where: { $0 > 0 }) || !unknown.isEmpty else { throw .nothingCounted(rows) }
            rows.doubtful = sample.records.count { ledger.records[Int($0)].isDoubtful }
            let time = columns.time.map { columns.header.names[$0] }
            attributes = RecordAttributes(randomisation.values, ledger, time: time)

            several = units.several
            several.presentCount = units.present.count
            several.examples = PeriodUnits.examples(of: number, randomisation, keys: keys)
            several.lowerBound =
                ProportionInterval.clopperPearson(
                    successes: several.unitCount, trials: several.presentCount, confidence: confidence
                ).lowerBound
            several.isAlarm = several.lowerBound > question.analysis.severalShare
            if several.unitCount > several.undecidedCount {
                var rest = counts
                for (variant, count) in units.severalCounted { rest[period.place(of: variant)] -= count }
                withoutSeveral = RatioTest(counts: rest, shares: shares.exactWeights)
            } else {
                withoutSeveral = nil
            }

            var firsts = counts.map { _ in 0 }
            for (variant, count) in units.firstVariants { firsts[period.place(of: variant)] += count }
            carryOver = ReturningUnits(
                returning: units.returning, before: before, keys: keys,
                both: RatioTest(counts: firsts, shares: shares.exactWeights))

            attribution = period.recomputed.map { [sample, attributes] recomputed in
                AttributionTally(
                    recomputed.basis, question, number: number, period, shares, units, randomisation, keys: keys,
                    sample, attributes)
            }
            isTimed = columns.time != nil && units.start != .unknown
            isDeclared = columns.time == nil && question.analysis.isInTimeOrder
        }

        /// The sequential test of the units in the order of time, below a level.
        func sequential(level: Double) -> SequentialResult {
            guard isTimed || isDeclared else { return attributes.time == nil ? .orderUnknown : .untimed }
            let weights = shares.exactWeights
            guard var trace = SequentialTrace(weights: weights, threshold: PValue(level)) else { return .orderUnknown }
            var runs = VariantRuns(variantCount: weights.count)
            var (step, moment) = (0, Moment.unknown)
            for index in sample.records.indices {
                let now = attributes.ledger.records[Int(sample.records[index])].moment
                let variant = Int(sample.classes[index])
                guard now != .unknown, weights[variant] > 0 else { continue }
                if now != moment { (step, moment) = (step + 1, now) }
                runs.note(variant)
                trace.observe(variant, count: sample.weight(index), step: step, moment: now)
            }
            if isDeclared, runs.isSorted { return .sorted(runs) }
            trace.endMoment()
            return .tested(trace.pValue, crossing: trace.crossing)
        }

        /// The counted units without a time, which the sequential test leaves out.
        var untimedCount: Int {
            isTimed ? sample.records.count { attributes.ledger.records[Int($0)].moment == .unknown } : 0
        }
    }
}

extension ExposureLedger {
    fileprivate func inOrder(_ places: [UInt32]) -> [UInt32] {
        func moment(_ place: UInt32) -> Moment { records[Int(place)].moment }
        if zip(places, places.dropFirst()).allSatisfy({ moment($0) <= moment($1) }) { return places }
        return places.map { (moment($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension AttributionTally {
    /// Compares the variants of the counted units, and whether they are wrong those of all units of a period.
    fileprivate init(
        _ basis: MismatchAttribution.Basis, _ question: SampleRatioQuestion, number: Int, _ period: RatioPeriod,
        _ shares: VariantShares, _ units: PeriodUnits, _ randomisation: SaltUnits, keys: [String],
        _ sample: RecordSample, _ attributes: RecordAttributes
    ) {
        let ledger = randomisation.ledger
        func known(_ owner: UInt16) -> Int? { Int(owner) < shares.variants.count ? Int(owner) : nil }
        func variants(of place: Int) -> (recorded: Int, own: Int?) {
            let record = ledger.records[place]
            return (period.place(of: Int(record.variant)), known(record.owner))
        }
        var present = RecordSample(classCount: 2)
        present.records = units.present
        present.classes = units.present.map { place in
            let record = ledger.records[Int(place)]
            return record.isWrong(period.place(of: Int(record.variant)), winner: period.winner) ? 1 : 0
        }
        self.init(
            table: WrongVariants.table(sample, shares.variants.count, variants), basis: basis,
            wrong: WrongVariants(
                present, variants: shares.variants, attributes, tolerated: question.analysis.wrongShare,
                confidence: 1 - 2 * question.analysis.threshold, of: variants))
        for place in sample.records {
            if let reason = Reason(rawValue: ledger.records[Int(place)].reason) { reasons[Int(reason.rawValue)] += 1 }
        }
        examples = (randomisation.wrong.examples[number] ?? []).map { example in
            (
                unit: String(decoding: example.unit, as: UTF8.self), time: example.moment.text,
                recorded: keys[example.variant], recomputed: known(example.owner).map { shares.variants[$0] }
            )
        }
    }
}
