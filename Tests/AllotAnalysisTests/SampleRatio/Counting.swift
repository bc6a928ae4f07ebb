import Allot
import AllotConfiguration
import AllotDefinitions

@testable import AllotAnalysis

extension String {
    /// Calls `body` with the text's bytes.
    func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try body(Array(utf8).span)
    }
}

extension SampleRatioQuestion {
    /// Two variants, `control` and `green`, of equal shares.
    static func halves() throws -> SampleRatioQuestion {
        SampleRatioQuestion(shares: try GivenShares("control=1,green=1"))
    }
}

extension SampleRatioTally {
    /// Takes a unit with attributes, as the command does.
    mutating func add(
        _ unit: String, _ variant: String, _ attributes: [(String, String)] = [], line: Int = 2, step: Int? = nil,
        units: inout ExposedUnits
    ) {
        let row = unit.withBytes { unit in
            variant.withBytes { take(unit: unit, variant: $0, line: line, period: 0, units: &units) }
        }
        if case .inAnotherVariant(let first, _, let firstLine) = row {
            note(
                multiple: .init(unit: unit, first: first, firstLine: firstLine, second: variant, secondLine: line))
        }
        guard case .counted(let taken) = row else { return }
        observe(taken, step: step ?? line, line: line)
        for (name, value) in attributes {
            guard let attribute = localisation.column(name) else { continue }
            value.withBytes { localisation.count(attribute, $0, variant: taken, 1) }
        }
    }

    /// Takes a number of units.
    mutating func add(count: Int, _ variant: String) {
        _ = variant.withBytes { take(count: count, variant: $0, line: 2) }
    }
}

extension Plan {
    /// A plan of definitions by the names of their files.
    static func of(_ files: KeyValuePairs<String, String>) throws -> Plan {
        let sources = [("base.yaml", "config_sections: {}")] + files.map { ($0.key, $0.value) }
        return try DefinitionsLoader(now: Instant(seconds: 0))
            .load(sources.map { DefinitionSource(name: $0.0, bytes: Array($0.1.utf8)) }).plan
    }
}
