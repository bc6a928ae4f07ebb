import AllotConfiguration
import AllotCore

/// Decides which layers of the other system can be layers in Allot, where experiments have slots of their own. Rules
/// that share slots, as those of one flag may, pass a gate instead.
struct LayerTable {
    private(set) var layers: [(name: String, draw: Draw)] = []
    /// By the other system's name.
    private var names: [String: String] = [:]

    /// Gives each experiment its layer, or gates for its slots.
    init(settling flags: inout [LoweredFlag], _ gates: inout GateTable) {
        var uses: [String: [Conjunction.DrawPart]] = [:]
        // One randomisation is either a layer's or an experiment's.
        var draws = Set(gates.gates.map(\.part.draw.randomisation))
        for experiment in flags.flatMap(\.experiments) {
            for part in experiment.rest.draws {
                if let layer = part.layer { uses[layer, default: []].append(part) }
            }
            if let draw = experiment.draw { draws.insert(draw.randomisation) }
        }
        var valid = NameTable()
        for (name, parts) in uses.sorted(by: { UTF8Order.precedes($0.key, $1.key) }) {
            let draw = parts[0].draw
            guard Self.areExclusive(parts), draws.insert(draw.randomisation).inserted else { continue }
            let layer = valid.unique(name)
            names[name] = layer
            layers.append((layer, draw))
        }
        for flag in flags.indices {
            for index in flags[flag].experiments.indices { settle(&flags[flag].experiments[index], &gates) }
        }
        let used = Set(flags.flatMap(\.experiments).compactMap(\.layer?.layer))
        layers.removeAll { !used.contains($0.name) }
    }

    private static func areExclusive(_ parts: [Conjunction.DrawPart]) -> Bool {
        var taken = BucketSet.none
        for part in parts {
            guard part.draw == parts[0].draw, taken.intersection(part.buckets).isEmpty else { return false }
            taken = taken.union(part.buckets)
        }
        return true
    }

    private func settle(_ experiment: inout LoweredExperiment, _ gates: inout GateTable) {
        for var part in experiment.rest.draws {
            guard let layer = part.layer else { continue }
            part.layer = nil
            // An experiment is in one layer, and randomises the same unit.
            if experiment.layer == nil, let name = names[layer], part.draw.unit == experiment.unit {
                part.layer = name
                experiment.layer = part
            } else {
                experiment.rest.requirements[gates.key(of: part)] = .variants([GateTable.variant])
            }
        }
    }
}

extension Draw {
    fileprivate var randomisation: String { "\(scheme.rawValue) \(bucketCount) \(salt)" }
}

/// Draws that units have to pass before that of an experiment, as experiments with one variant. `Sendable`.
struct GateTable: Sendable {
    static let variant = "in"

    /// The keys of all experiments.
    var names = NameTable(reserved: ["base", "layers", "holdouts", "segments"])
    private var keys: [Conjunction.DrawPart: String] = [:]
    private(set) var gates: [(key: String, part: Conjunction.DrawPart)] = []

    mutating func key(of part: Conjunction.DrawPart) -> String {
        if let key = keys[part] { return key }
        let key = names.unique("in-\(part.draw.salt)")
        keys[part] = key
        gates.append((key, part))
        return key
    }

    /// Removes the gates that no experiment requires, because the flag that needed them is not imported.
    mutating func keep(_ used: Set<String>) {
        gates.removeAll { !used.contains($0.key) }
        keys = keys.filter { used.contains($1) }
    }
}
