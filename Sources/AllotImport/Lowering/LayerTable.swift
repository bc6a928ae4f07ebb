import Allot
import AllotConfiguration

/// Decides which layers of the other system can be layers in Allot: in those, experiments have slots of their own.
///
/// Where several experiments share slots, as the rules of one flag may, they pass a gate instead.
enum LayerTable {
    /// Gives each experiment its layer, or gates for its slots.
    static func settle(_ flags: inout [LoweredFlag], _ gates: inout GateTable, _ names: inout NameTable) {
        var uses: [String: [Conjunction.LayerPart]] = [:]
        for experiment in flags.flatMap(\.experiments) {
            for part in experiment.layers { uses[part.name, default: []].append(part) }
        }
        let exclusive = Set(uses.filter { areExclusive($1) }.keys)
        for flag in flags.indices {
            for index in flags[flag].experiments.indices {
                settle(&flags[flag].experiments[index], exclusive, &gates, &names)
            }
        }
    }

    private static func areExclusive(_ parts: [Conjunction.LayerPart]) -> Bool {
        var taken = BucketSet.none
        for part in parts {
            let slots = BucketSet(part.slots.buckets)
            guard part.slots.draw == parts[0].slots.draw, taken.intersection(slots).isEmpty else { return false }
            taken = taken.union(slots)
        }
        return true
    }

    private static func settle(
        _ experiment: inout LoweredExperiment, _ exclusive: Set<String>, _ gates: inout GateTable,
        _ names: inout NameTable
    ) {
        for part in experiment.layers {
            // An experiment is in one layer, and randomises the same unit.
            if experiment.layer == nil, exclusive.contains(part.name), part.slots.draw.unit == experiment.unit {
                experiment.layer = part
            } else {
                experiment.requirements[gates.key(of: part.slots, names: &names)] = .variants([GateTable.variant])
            }
        }
    }
}
