import AllotBatch
import AllotConfiguration
import AllotCore

/// The columns of a file for counting a sample ratio.
struct SampleRatioColumns {
    let fileName: String
    let header: CSVHeader
    /// The column of the variants; `nil` where each experiment has a column of its own.
    let variant: Int?
    let experiment: Int?
    let count: Int?
    let time: Int?
    let attributes: Int?
    /// The columns of an exposure's record, in files of exposures and of `allot assign --layout long`.
    let record: Record
    private let unitName: String?
    private let isUnitEachRow: Bool
    /// The columns with the variants of experiments: the variant of another experiment may depend on this one's.
    private let experiments: Set<Int>

    init(_ header: CSVHeader, fileName: String, for analysis: SampleRatioAnalysis) throws(BatchError) {
        let names = analysis.columns
        self.header = header
        self.fileName = fileName
        func find(_ name: String?, usual: String) throws(BatchError) -> Int? {
            guard let name else { return try header.indexIfPresent(of: usual, in: fileName) }
            return try header.index(of: name, in: fileName)
        }
        variant = try find(names.variant, usual: "variant")
        let experiment = try find(names.experiment, usual: "experiment")
        self.experiment = variant == nil || experiment == variant ? nil : experiment
        time = try find(names.time, usual: "at")
        attributes = try find(names.attributes, usual: "attributes")
        unitName = names.unit
        isUnitEachRow = analysis.isUnitEachRow
        let asked = Set(analysis.attributes.map(UTF8Key.init))
        let others = analysis.knownExperiments.filter { !asked.contains(UTF8Key($0)) }
        experiments = Set(others.flatMap(header.indices(of:)))
        let unit = try Self.unit(header, fileName)
        let hasUnits = unitName != nil || unit != nil || analysis.isUnitEachRow
        count = names.count == nil && hasUnits ? nil : try find(names.count, usual: "count")
        if let unitName { _ = try header.index(of: unitName, in: fileName) }
        record = variant == nil ? Record() : try Record(header, fileName, asked: asked)
    }

    /// The columns with facts about an exposure besides unit and variant. They have these names in every file with a
    /// column of variants, because a row of a forced unit that counted unnoticed would spoil every result.
    struct Record {
        private(set) var salt: Int?
        private(set) var revision: Int?
        private(set) var reason: Int?
        private(set) var override: Int?
        private(set) var doubt: Int?
        /// The number of the window in which the unit was randomised.
        private(set) var window: Int?
        /// Columns of a record in which no source of a mismatch is searched, unless they are named.
        private(set) var others: Set<Int> = []

        init() {}

        fileprivate init(_ header: CSVHeader, _ fileName: String, asked: Set<UTF8Key>) throws(BatchError) {
            window = try header.indexIfPresent(of: ExposureMessage.Event.window, in: fileName)
            salt = try header.indexIfPresent(of: ExposureMessage.Event.salt, in: fileName)
            revision = try header.indexIfPresent(of: ExposureMessage.Event.revision, in: fileName)
            reason = try header.indexIfPresent(of: ExposureMessage.Event.reason, in: fileName)
            override = try header.indexIfPresent(of: ExposureMessage.Event.override, in: fileName)
            doubt = try header.indexIfPresent(of: "doubt", in: fileName)
            let names =
                ExposureMarks.members + [
                    ExposureMessage.Event.salt, ExposureMessage.Event.window, "doubt", "received_at", "reported_at",
                ]
            others = Set(names.filter { !asked.contains(UTF8Key($0)) }.flatMap(header.indices(of:)))
            if reason != nil { others.formUnion(header.indices(of: "bucket")) }
        }
    }

    private static func unit(_ header: CSVHeader, _ fileName: String) throws(BatchError) -> Int? {
        for name in ["unit", Subject.defaultUnit] {
            if let index = try header.indexIfPresent(of: name, in: fileName) { return index }
        }
        return nil
    }

    /// The columns of unit IDs by their names.
    var units: [Int] {
        guard count == nil else { return [] }
        if let unitName { return header.indices(of: unitName) }
        return (try? Self.unit(header, fileName)).map { [$0] } ?? []
    }

    /// Whether the file has the unit IDs of an experiment, or counts that need none.
    func hasUnit(_ attribute: String) -> Bool {
        count != nil || isUnitEachRow || (try? units(attribute, isAlone: false)) != nil
    }

    /// The column of the unit IDs of an experiment, or those of their parts.
    /// - Parameter isAlone: whether no other experiment is tested, so that a named column can only mean this one.
    func units(_ attribute: String?, isAlone: Bool) throws(BatchError) -> [Int] {
        guard let attribute, CompositeUnit.isName(attribute) else { return [try unit(attribute, isAlone: isAlone)] }
        if let unitName, isAlone { return [try header.index(of: unitName, in: fileName)] }
        for name in (variant == nil ? [] : ["unit"]) + [attribute] {
            if let found = try header.indexIfPresent(of: name, in: fileName) { return [found] }
        }
        var found: [Int] = []
        let names = CompositeUnit.parts(of: attribute)
        for name in names {
            if let column = try header.indexIfPresent(of: name, in: fileName) { found.append(column) }
        }
        guard found.count == names.count else {
            throw BatchError(
                description:
                    "\(fileName) has no column \"unit\", and not all of \(names.quoted(atMost: names.count)), which "
                    + "make the unit; name the column of the unit IDs, such as berlin|U1 (it has "
                    + "\(header.listedNames))")
        }
        return found
    }

    private func unit(_ attribute: String?, isAlone: Bool) throws(BatchError) -> Int {
        let isDefault = attribute == nil || attribute == Subject.defaultUnit
        if let unitName, isDefault || isAlone { return try header.index(of: unitName, in: fileName) }
        if variant == nil, let attribute, !isDefault { return try header.index(of: attribute, in: fileName) }
        if let found = try Self.unit(header, fileName) { return found }
        if let attribute, let found = try header.indexIfPresent(of: attribute, in: fileName) { return found }
        throw BatchError(
            description:
                "\(fileName) has no column \"unit\" or \"\(Subject.defaultUnit)\"; name the column of the unit IDs, or "
                + "that of counts, or say that each row is a unit (it has \(header.listedNames))")
    }

    func variant(_ experiment: String?) throws(BatchError) -> Int {
        if let variant { return variant }
        if let experiment, let found = try header.indexIfPresent(of: experiment, in: fileName) { return found }
        throw BatchError(
            description:
                "\(fileName) has no column \"variant\"; name the column of the variants (it has \(header.listedNames))")
    }

    /// The columns that may hold attributes of units: all but those of a comparison. The parts of a unit ID are
    /// attributes.
    func attributeColumns(units: [Int], variant: Int) -> [Int] {
        let others = [units.count == 1 ? units[0] : nil, variant, experiment, count, time, attributes]
        return header.unambiguousColumns.filter {
            !others.contains($0) && !experiments.contains($0) && !record.others.contains($0)
        }
    }
}
