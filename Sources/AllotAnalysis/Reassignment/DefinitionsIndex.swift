import Allot
import AllotConfiguration

/// Definitions whose experiments and layers are found by name.
package struct DefinitionsIndex: Sendable {
    package let definitions: Definitions
    private let experiments: [UTF8Key: Int]
    private let layers: [UTF8Key: Int]

    package init(_ definitions: Definitions) {
        self.definitions = definitions
        experiments = Self.index(definitions.experiments.map(\.key))
        layers = Self.index(definitions.layers.map(\.name))
    }

    /// Complexity: O(1).
    package func experiment(_ key: String) -> ExperimentDefinition? {
        experiments[UTF8Key(key)].map { definitions.experiments[$0] }
    }

    /// Complexity: O(1).
    package func layer(_ name: String?) -> LayerDefinition? {
        name.flatMap { layers[UTF8Key($0)] }.map { definitions.layers[$0] }
    }

    private static func index(_ names: [String]) -> [UTF8Key: Int] {
        Dictionary(names.enumerated().map { (UTF8Key($1), $0) }, uniquingKeysWith: { first, _ in first })
    }
}
