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
        let attribution: AttributionTally?
        let basis: MismatchAttribution.Basis?
        let wrong: WrongVariants?
        let carryOver: ReturningUnits?
        let order: Order
        let hasWindows: Bool
        let isBalanced: Bool

        enum Order: Sendable {
            /// They have times.
            case timed
            /// They are said to be in the order of time.
            case declared
            /// No row has a time that can be read.
            case unreadable
            /// The order is not known.
            case unknown
        }

        var otherTestCount: Int {
            let named = attributes.values.attributes.count { $0.isNamed && !$0.isDropped }
            // One test of values, and one of pairs of values.
            return min(named + (attributes.time == nil ? 0 : 1), 2) + (wrong.map { $0.unitCount > 0 ? 2 : 0 } ?? 0)
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

            basis = period.recomputed?.basis
            if period.recomputed != nil {
                attribution = AttributionTally(
                    sample, ledger, examples: randomisation.wrong.examples[number] ?? [], keys: keys,
                    variants: shares.variants)
                wrong = Self.wrong(question, period, shares, units, ledger, attributes)
            } else {
                (attribution, wrong) = (nil, nil)
            }
            if columns.time == nil {
                order = question.analysis.isInTimeOrder ? .declared : .unknown
            } else {
                order = units.start == .unknown ? .unreadable : .timed
            }
        }

        private static func wrong(
            _ question: SampleRatioQuestion, _ period: RatioPeriod, _ shares: VariantShares, _ units: PeriodUnits,
            _ ledger: ExposureLedger, _ attributes: RecordAttributes
        ) -> WrongVariants {
            var present = RecordSample(classCount: 2)
            present.records = units.present
            present.classes = units.present.map { place in
                let record = ledger.records[Int(place)]
                return record.isWrong(period.place(of: Int(record.variant)), winner: period.winner) ? 1 : 0
            }
            return WrongVariants(
                present, variants: shares.variants, attributes, tolerated: question.analysis.wrongShare,
                confidence: 1 - 2 * question.analysis.threshold
            ) { place in
                let record = ledger.records[place]
                let own = Int(record.owner)
                return (period.place(of: Int(record.variant)), own < shares.variants.count ? own : nil)
            }
        }

        /// The sequential test of the units in the order of time, below a level.
        func sequential(level: Double) -> SequentialResult {
            switch order {
            case .unknown: return .orderUnknown
            case .unreadable: return .untimed
            case .timed, .declared: break
            }
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
            if case .declared = order, runs.isSorted { return .sorted(runs) }
            trace.endMoment()
            return .tested(trace.pValue, crossing: trace.crossing)
        }

        /// The counted units without a time, which the sequential test leaves out.
        var untimedCount: Int {
            guard case .timed = order else { return 0 }
            return sample.records.count { attributes.ledger.records[Int($0)].moment == .unknown }
        }
    }
}

extension ExposureLedger {
    fileprivate func inOrder(_ places: [UInt32]) -> [UInt32] {
        var isSorted = true
        for index in places.indices.dropFirst()
        where records[Int(places[index])].moment < records[Int(places[index - 1])].moment {
            isSorted = false
            break
        }
        guard !isSorted else { return places }
        var pairs = places.map { (moment: records[Int($0)].moment, place: $0) }
        pairs.sort { $0.moment < $1.moment }
        return pairs.map(\.place)
    }
}

extension AttributionTally {
    /// The recorded variants of counted units against those that are computed.
    fileprivate init(
        _ sample: RecordSample, _ ledger: ExposureLedger, examples: [UnitExamples.Example], keys: [String],
        variants: [String]
    ) {
        self.init(variantCount: variants.count)
        for index in sample.records.indices {
            let record = ledger.records[Int(sample.records[index])]
            let own = Int(record.owner)
            count(recorded: Int(sample.classes[index]), recomputed: own < variants.count ? own : nil)
            if let reason = Reason(rawValue: record.reason) { count(reason) }
        }
        self.examples = examples.map { example in
            let own = Int(example.owner)
            return .init(
                unit: String(decoding: example.unit, as: UTF8.self), time: example.moment.text,
                recorded: keys[example.variant], recomputed: own < variants.count ? variants[own] : nil)
        }
    }
}
