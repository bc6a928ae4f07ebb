import AllotConfiguration

/// Some records, each in a class, such as the variant of its unit.
struct RecordSample: Sendable {
    var records: [UInt32] = []
    var classes: [UInt16] = []
    /// By place in the ledger the units of a row of counts; empty where each record is one unit.
    var weights: [Int] = []
    let classCount: Int

    var counts: [Int] {
        var counts = Array(repeating: 0, count: classCount)
        for index in records.indices { counts[Int(classes[index])] += weight(index) }
        return counts
    }

    func weight(_ index: Int) -> Int { weights.isEmpty ? 1 : weights[Int(records[index])] }

    func filter(_ isIncluded: (Int) -> Bool) -> RecordSample {
        var kept = RecordSample(weights: weights, classCount: classCount)
        for index in records.indices where isIncluded(Int(records[index])) {
            kept.records.append(records[index])
            kept.classes.append(classes[index])
        }
        return kept
    }
}

/// The values of an attribute, by number.
struct RecordAttribute: Sendable {
    let name: String
    /// Whether a mismatch within a value is an alarm.
    var isNamed = true
    /// Whether it is the variant of another experiment.
    var isComputed = false
    let valueCount: Int
    /// The number of a record's value, -1 for none.
    let number: @Sendable (Int) -> Int
    let text: @Sendable (Int) -> String
}

/// How often each value of one attribute met each class of a sample.
struct ValueTable: Sendable {
    let name: String
    let isNamed: Bool
    /// In byte order; those of units without a value at last.
    let values: [(text: String?, counts: [Int])]

    init(_ attribute: RecordAttribute, _ sample: RecordSample) {
        (name, isNamed) = (attribute.name, attribute.isNamed)
        let valueCount = attribute.valueCount
        let width = sample.classCount
        var counts = Array(repeating: 0, count: (valueCount + 1) * width)
        var rows = Array(repeating: 0, count: sample.weights.isEmpty ? 0 : valueCount)
        for index in sample.records.indices {
            let value = attribute.number(Int(sample.records[index]))
            counts[(value < 0 ? valueCount : value) * width + Int(sample.classes[index])] += sample.weight(index)
            if value >= 0, !rows.isEmpty { rows[value] += 1 }
        }
        // In files of counts an outcome, such as the number of sales, has another value in each row.
        let isOutcome = !rows.isEmpty && rows.count { $0 == 1 } * 2 > rows.count { $0 > 0 }
        let found = (0...valueCount).map {
            (text: $0 < valueCount ? attribute.text($0) : nil, counts: Array(counts[$0 * width..<($0 + 1) * width]))
        }.filter { ($0.text != nil || !attribute.isComputed) && $0.counts.contains { $0 > 0 } }
        values =
            isOutcome
            ? []
            : found.sorted { left, right in
                guard let left = left.text, let right = right.text else { return left.text != nil }
                return UTF8Order.precedes(left, right)
            }
    }
}

/// The attributes of the records of a randomisation, the day of the first exposure among them.
struct RecordAttributes: Sendable {
    let values: LocalisationTally
    let ledger: ExposureLedger
    let time: String?
    private let indices: [UTF8Key: Int]

    init(_ values: LocalisationTally, _ ledger: ExposureLedger, time: String?) {
        self.values = values
        self.ledger = ledger
        self.time = time
        indices = Dictionary(values.attributes.enumerated().map { (UTF8Key($1.name), $0) }) { first, _ in first }
    }

    /// All attributes, in byte order of their names, after that of days.
    func attributes(_ sample: RecordSample) -> [RecordAttribute] {
        let attributes = values.attributes.filter { !$0.isDropped }.map { tally in
            RecordAttribute(
                name: tally.name, isNamed: tally.isNamed, isComputed: tally.isComputed, valueCount: tally.valueCount,
                number: tally.value(of:), text: tally.text)
        }
        return (days(sample).map { [$0] } ?? []) + attributes.sorted { UTF8Order.precedes($0.name, $1.name) }
    }

    func tables(_ sample: RecordSample) -> [ValueTable] { attributes(sample).map { ValueTable($0, sample) } }

    /// The days of records; `nil` where times name no days. Numbers are days if there are few of them.
    private func days(_ sample: RecordSample) -> RecordAttribute? {
        guard let time else { return nil }
        var numbers: [Int: Int] = [:]
        var texts: [String] = []
        for record in sample.records {
            let moment = ledger.records[Int(record)].moment
            guard let day = moment.day, numbers[day] == nil else { continue }
            let limit = moment.kind == .number ? SampleRatioQuestion.fewValues : SampleRatioQuestion.manyValues
            guard texts.count < limit else { return nil }
            numbers[day] = texts.count
            texts.append(moment.dayText ?? "")
        }
        return RecordAttribute(
            name: time, valueCount: texts.count,
            number: { [numbers] record in ledger.records[record].moment.day.flatMap { numbers[$0] } ?? -1 },
            text: { [texts] in texts[$0] })
    }

    func holder(of attribute: String, _ texts: [String?]) -> (Int) -> Bool {
        if let time, UTF8Order.areEqual(time, attribute) {
            return { record in texts.contains(ledger.records[record].moment.dayText) }
        }
        guard let index = indices[UTF8Key(attribute)] else { return { _ in false } }
        let tally = values.attributes[index]
        let wanted = (0..<tally.valueCount).map { value in
            texts.contains { $0.map { UTF8Order.areEqual($0, tally.text(value)) } ?? false }
        }
        let takesMissing = texts.contains(nil)
        return { record in
            let value = tally.value(of: record)
            return value < 0 ? takesMissing : wanted[value]
        }
    }
}
