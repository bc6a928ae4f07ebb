import AllotConfiguration
import AllotCore

struct DefinitionsIndex: Sendable {
    let definitions: Definitions
    let experiments: [UTF8Key: ExperimentDefinition]
    private let layers: [UTF8Key: LayerDefinition]
    /// The units that have variants, each computed when it is first needed.
    let knownUnits = KnownUnits()

    init(_ definitions: Definitions) {
        self.definitions = definitions
        experiments = Dictionary(byName: definitions.experiments.map { ($0.key, $0) })
        layers = Dictionary(byName: definitions.layers.map { ($0.name, $0) })
    }

    func experiment(_ key: String) -> ExperimentDefinition? { experiments[UTF8Key(key)] }
    func layer(_ name: String?) -> LayerDefinition? { name.flatMap { layers[UTF8Key($0)] } }
}

extension Dictionary where Key == UTF8Key {
    /// Values by their names; the first of equal names wins.
    init(byName pairs: some Sequence<(String, Value)>) {
        self.init(pairs.lazy.map { (UTF8Key($0.0), $0.1) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The values of one name before and after a change.
struct BeforeAndAfter<Value> {
    let name: String
    /// `nil` where it is new.
    let before: Value?
    /// `nil` where it is removed.
    let after: Value?

    /// Everything of before or after, in the order of the names' bytes.
    static func pairs(_ before: [UTF8Key: Value], _ after: [UTF8Key: Value]) -> [BeforeAndAfter] {
        Set(before.keys).union(after.keys).sorted().map {
            BeforeAndAfter(name: $0.text, before: before[$0], after: after[$0])
        }
    }
}
