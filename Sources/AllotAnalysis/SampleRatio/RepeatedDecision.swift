import AllotBatch
import AllotConfiguration
import AllotCore

/// Repeats the decision of an experiment for the unit of a row, with the attributes of the row.
struct RepeatedDecision: Sendable {
    private let plan: Plan
    private let experiment: Int
    /// The indices of the attributes that hold the unit ID, or its parts; none if the experiment is not randomised.
    private let unitIndices: [Int]
    /// The attributes that come as text, in the order of their numbers.
    private let attributes: [(name: String, index: Int, column: Int)]
    private let json: Int?
    private var evaluator: Evaluator
    private var buffer: AttributeBuffer
    /// The places of the parts of the unit and of the values, by number, in the buffer's bytes.
    private var parts: [Range<Int>] = []
    private var unitEnd = 0
    private var values: [Range<Int>]
    /// Subjects that were read from JSON before, by the hash of everything in them but the unit.
    private var memo: [UInt64: Int] = [:]
    private var subjects: [PreparedSubject] = []
    /// Attributes that decisions look at and that no row has had yet.
    private var missing: Set<Int>

    private static let memoLimit = 8192

    /// Takes the columns of attributes; skips those that no decision looks at, or that hold the unit ID. `others` are
    /// decided for the same unit.
    init(
        _ plan: Plan, experiment: Int, others: [Int] = [], attributes: [(name: String, column: Int)], json: Int? = nil
    ) {
        let selection = [experiment] + others.filter { $0 != experiment }
        self.plan = plan
        self.experiment = experiment
        self.json = json
        let units = plan.unitAttributes[experiment].map { [$0] } ?? plan.unitParts[experiment]
        unitIndices = units
        var needed = Set(plan.attributeNames(of: selection).compactMap(plan.attributes.index(of:))).subtracting(units)
        self.attributes = attributes.compactMap { name, column in
            // Of two columns of one attribute the first counts.
            plan.attributes.index(of: name).flatMap { needed.remove($0) }.map { (name, $0, column) }
        }
        evaluator = Evaluator(plan: plan, at: Instant(seconds: 0), selection: selection)
        buffer = AttributeBuffer(plan)
        values = Array(repeating: 0..<0, count: self.attributes.count)
        missing = needed
    }

    /// Whether decisions look at what rows say besides the unit and the time.
    var readsAttributes: Bool { json != nil || !attributes.isEmpty }

    /// The attributes that decisions look at and that no row has had, in byte order.
    var missingAttributes: [String] { missing.map { plan.attributes.names[$0] }.sorted(by: UTF8Order.precedes) }

    /// Whether further rows may have attributes that are missing.
    var lacksAttributes: Bool { json != nil && !missing.isEmpty }

    mutating func begin(_ unit: Span<UInt8>) {
        buffer.removeAll()
        parts.removeAll(keepingCapacity: true)
        if unitIndices.count < 2 {
            parts.append(append(unit))
        } else {
            let texts = CompositeUnit.parts(of: String(copying: unit))
            // An ID of other parts is that of no unit here.
            let isValid = texts.count == unitIndices.count
            for index in unitIndices.indices { parts.append(isValid ? append(Array(texts[index].utf8).span) : 0..<0) }
        }
        unitEnd = buffer.bytes.count
        for (index, part) in zip(unitIndices, parts) { buffer.setUntyped(index, value: part) }
    }

    mutating func set(_ attribute: Int, _ value: Span<UInt8>) {
        values[attribute] = append(value)
        // What tells two lists of values apart, for the memo.
        buffer.bytes.append(0xFF)
        buffer.setUntyped(attributes[attribute].index, value: values[attribute])
    }

    mutating func decide(at instant: Instant) -> Reason {
        evaluator.evaluate(buffer, at: instant)
        return evaluator.decision(of: experiment).reason
    }

    func decision(of experiment: Int) -> Decision { evaluator.decision(of: experiment) }

    /// Decides with the typed attributes of a JSON object too, which take precedence. Other text holds no attribute.
    mutating func decide(json: Span<UInt8>, at instant: Instant) -> Reason {
        let index = subject(json)
        subjects[index].removeUnit()
        for (attribute, part) in zip(unitIndices, parts) { subjects[index].addUnitPart(attribute, buffer.bytes[part]) }
        evaluator.evaluate(subjects[index], at: instant)
        return evaluator.decision(of: experiment).reason
    }

    /// Decides for the unit of a row, by its columns of attributes.
    mutating func decide(_ rows: borrowing CSVRows, unit: Span<UInt8>, at instant: Instant) -> Reason {
        let bytes = rows.bytes.span
        begin(unit)
        for number in attributes.indices { set(number, bytes.extracting(rows[attributes[number].column])) }
        guard let json else { return decide(at: instant) }
        return decide(json: bytes.extracting(rows[json]), at: instant)
    }

    private mutating func append(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = buffer.bytes.count
        bytes.withUnsafeBufferPointer { buffer.bytes.append(contentsOf: $0) }
        return start..<buffer.bytes.count
    }

    private mutating func subject(_ json: Span<UInt8>) -> Int {
        let text = append(json)
        let hash = ByteHash.hash(buffer.bytes.span.extracting(unitEnd..<buffer.bytes.count))
        if let index = memo[hash] { return index }
        var made = Subject()
        for (attribute, value) in zip(attributes, values) {
            made.setUntyped(attribute.name, String(decoding: buffer.bytes[value], as: UTF8.self))
        }
        if case .object(let object)? = try? JSONValue(parsing: Array(buffer.bytes[text])) {
            for member in object.members { made.setTyped(member.key, member.value) }
        }
        let prepared = PreparedSubject(made, for: plan)
        missing = missing.filter { !prepared.holds($0) }
        // The last place is for the subjects that are not kept.
        if subjects.count > Self.memoLimit {
            subjects[Self.memoLimit] = prepared
        } else {
            if subjects.count < Self.memoLimit { memo[hash] = subjects.count }
            subjects.append(prepared)
        }
        return subjects.count - 1
    }
}
