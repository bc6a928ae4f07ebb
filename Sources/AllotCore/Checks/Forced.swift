import AllotConfiguration

// Check: forced units, which other tools call overrides or an allow-list.

extension DecisionLoop {
    /// A unit that a draft or running experiment forces gets the variant that the definition names, and is never
    /// counted as randomised.
    @inline(never) func forced<R: Recorder>(
        _ index: Int, row: Int, _ forced: borrowing ForcedVariants, _ recorder: inout R
    ) -> Decision? {
        guard let variant = forced.variant(of: index, row: row) else { return nil }
        recorder.forced(variant)
        return .assigned(variant, .forced)
    }

    /// Looks up where the subjects are forced, once for all experiments.
    @inline(never) func findForced(
        _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ joined: JoinedUnits,
        _ forced: inout ForcedVariants
    ) {
        guard !compiled.forcedUnits.isEmpty else { return }
        forced.removeAll()
        for row in 0..<count {
            for table in compiled.forcedUnits.indices {
                let unit = unitValue(compiled.forcedUnits[table].unit, row: row, values, joined)
                guard UnitID.isValid(unit) else { continue }
                let list =
                    compiled.forcedUnits[table].unit.attribute != nil
                    ? compiled.forcedUnits[table].units.find(bytes.extracting(unit.range))
                    : compiled.forcedUnits[table].units.find(joined.bytes.span.extracting(unit.range))
                if let list { forced.append(compiled.forcedUnits[table].lists[list]) }
            }
            forced.endRow()
        }
    }
}

/// The unit IDs of one attribute that are forced anywhere: the compiled form of `forced`.
struct ForcedUnits: Sendable {
    /// An experiment and the variant that it forces on a unit, by their indices.
    struct Variant: Sendable {
        let experiment: Int
        let variant: Int
    }

    let unit: UnitSource
    /// Unit ID to an index of `lists`.
    let units: ByteTable
    let lists: [[Variant]]

    /// The forced units of all experiments, one table for each attribute that holds such a unit.
    static func tables(
        of experiments: [ExperimentDefinition], _ units: inout UnitTable, _ attributes: inout AttributeTable
    ) -> [ForcedUnits] {
        let forcing = experiments.indices.filter { experiments[$0].forcesAnyUnit }
        return Set(forcing.compactMap { experiments[$0].unit.map(UTF8Key.init) }).sorted().compactMap { unit in
            ForcedUnits(of: forcing, among: experiments, unit: unit.text, &units, &attributes)
        }
    }

    private init?(
        of forcing: [Int], among experiments: [ExperimentDefinition], unit: String,
        _ entered: inout UnitTable, _ attributes: inout AttributeTable
    ) {
        var positions: [UTF8Key: Int] = [:]
        var lists: [[Variant]] = []
        for index in forcing {
            let experiment = experiments[index]
            guard let draw = experiment.draw, UTF8Order.areEqual(draw.unit, unit) else { continue }
            for forced in experiment.forced {
                guard let variant = experiment.variants.firstIndex(where: { $0.key == forced.variant }) else {
                    continue
                }
                let position = positions[UTF8Key(forced.unitID)] ?? lists.count
                if position == lists.count { lists.append([]) }
                positions[UTF8Key(forced.unitID)] = position
                lists[position].append(Variant(experiment: index, variant: variant))
            }
        }
        guard !lists.isEmpty else { return nil }
        self.unit = entered.enter(unit, &attributes)
        units = ByteTable(positions.map { (key: Array($0.key.text.utf8), value: $0.value) })
        self.lists = lists
    }
}

/// Where the subjects of a group are forced.
struct ForcedVariants: Sendable {
    /// One subject's entries after another's.
    private var entries: [ForcedUnits.Variant] = []
    /// By row the end of its entries; empty in a plan without forced units.
    private var ends: [Int] = []

    /// Whether no subject of the group is forced anywhere.
    var isEmpty: Bool { entries.isEmpty }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Adds variants to the row that has not ended.
    mutating func append(_ variants: [ForcedUnits.Variant]) { entries.append(contentsOf: variants) }
    mutating func endRow() { ends.append(entries.count) }

    /// The variant that an experiment forces on a row's subject. Returns `nil` if it forces none.
    @inline(__always) func variant(of experiment: Int, row: Int) -> Int? {
        guard !isEmpty else { return nil }
        for entry in (row == 0 ? 0 : ends[row &- 1])..<ends[row] where entries[entry].experiment == experiment {
            return entries[entry].variant
        }
        return nil
    }
}
