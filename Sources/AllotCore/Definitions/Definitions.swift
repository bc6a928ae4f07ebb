import AllotConfiguration

/// The validated content of a definitions folder, by name: what was written. A ``Plan`` is compiled from it.
public struct Definitions: Sendable {
    /// The values of the base configuration: an object of objects.
    package var base: JSONObject
    /// The settings of the base as they are declared, by section and name in the order of their bytes.
    package var settings: [DeclaredSetting]
    package var meta: JSONObject
    package var layers: [LayerDefinition]
    package var holdouts: [HoldoutDefinition]
    /// In the order of their keys' bytes.
    package var experiments: [ExperimentDefinition]

    package init(
        base: JSONObject = [:], settings: [DeclaredSetting] = [], meta: JSONObject = [:],
        layers: [LayerDefinition] = [], holdouts: [HoldoutDefinition] = [], experiments: [ExperimentDefinition]
    ) {
        (self.base, self.settings, self.meta) = (base, settings, meta)
        self.layers = layers.sorted { UTF8Order.precedes($0.name, $1.name) }
        self.holdouts = holdouts.sorted { UTF8Order.precedes($0.name, $1.name) }
        // A folder's are in order already, and an experiment is large to move about.
        let ascend = experiments.indices.dropFirst().allSatisfy {
            !UTF8Order.precedes(experiments[$0].key, experiments[$0 - 1].key)
        }
        self.experiments = ascend ? experiments : experiments.sorted { UTF8Order.precedes($0.key, $1.key) }
    }
}

/// A set of mutually exclusive experiments: each has slots of the layer, and no slot belongs to two of them.
public struct LayerDefinition: Sendable {
    /// The name in definitions.
    public let name: String
    /// The hash that gives units their slots.
    public let hash: UnitHash
    /// The attribute that holds the unit ID.
    public let unit: String
    package let description: String?

    package init(name: String, hash: UnitHash, unit: String, description: String? = nil) {
        (self.name, self.hash, self.unit, self.description) = (name, hash, unit, description)
    }
}

/// A share of units that no covered experiment may touch.
public struct HoldoutDefinition: Sendable {
    /// The name in definitions and in `meta`.
    public let name: String
    /// The hash that decides which units are held out.
    public let hash: UnitHash
    /// The attribute that holds the unit ID.
    public let unit: String
    /// The number of buckets that are held out, the first ones: of first buckets, or of those of another system's hash.
    public let share: Int
    /// The experiments and layers that are covered; `nil` for every experiment on the same unit.
    package let scope: Scope?
    package let description: String?

    package struct Scope: Sendable, Hashable {
        package let experiments: Set<String>
        package let layers: Set<String>

        package init(experiments: [String], layers: [String]) {
            self.experiments = Set(experiments)
            self.layers = Set(layers)
        }
    }

    package init(name: String, hash: UnitHash, unit: String, share: Int, scope: Scope?, description: String? = nil) {
        (self.name, self.hash, self.unit) = (name, hash, unit)
        (self.share, self.scope, self.description) = (share, scope, description)
    }
}
