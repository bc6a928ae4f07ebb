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

extension Plan {
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
