import AllotConfiguration
import AllotCore
import AllotDefinitions

@testable import AllotAnalysis

extension String {
    /// Calls `body` with the text's bytes.
    func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try body(Array(utf8).span)
    }
}

extension Localisation.Finding {
    /// The kind of the finding with its values: `source country=FR`.
    var text: String {
        switch self {
        case .source(let values, _): "source " + names(values)
        case .part(let value): "part " + names([value])
        case .hidden(let value): "hidden " + names([value])
        case .uneven(let attribute): "uneven " + attribute.name
        case .nothing, .everywhere: "\(self)"
        }
    }

    private func names(_ values: [Localisation.Value]) -> String {
        values.map(\.name).sorted().joined(separator: ", ")
    }
}

extension Plan {
    /// The key of the variant that owns a unit's bucket.
    func recomputedVariant(of unit: String, in experiment: Int = 0) -> String? {
        unit.withBytes { Recomputation(self, experiment: experiment).variant(of: $0) }
            .map { experiments[experiment].variants[$0].key }
    }

    /// A plan of definitions by the names of their files.
    static func of(_ files: KeyValuePairs<String, String>) throws -> Plan {
        try of(files: files.map { ($0.key, $0.value) })
    }

    static func of(files: [(String, String)]) throws -> Plan {
        let sources = [("base.yaml", "config_sections: {}")] + files
        return try DefinitionsLoader(now: Instant(seconds: 0))
            .load(sources.map { DefinitionSource(name: $0.0, bytes: Array($0.1.utf8)) }).plan
    }
}
