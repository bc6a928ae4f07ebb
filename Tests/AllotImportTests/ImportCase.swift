import AllotConfiguration
import AllotCore
import AllotImport
import Testing

/// Imports a payload that a test has as text.
enum ImportCase {
    static func definitions(
        _ system: ImportSystem, _ payload: String, hash: FlagdHash = .daemon
    ) throws -> ImportedDefinitions {
        var conversion = PayloadImport(of: system)
        conversion.flagdHash = hash
        return try conversion.definitions(from: Array(payload.utf8))
    }

    /// What is served to a unit.
    static func value(
        _ definitions: ImportedDefinitions, _ setting: String, _ attributes: JSONObject,
        at instant: Instant = Instant(seconds: 0)
    ) -> JSONValue? {
        definitions.loaded.plan.configuration(for: Subject(attributes: attributes), at: instant)
            .value("Flags", setting)
    }

    /// The problems of a payload that is not imported, with their paths.
    static func problems(_ system: ImportSystem, _ payload: String, hash: FlagdHash = .daemon) throws -> [String] {
        do {
            _ = try definitions(system, payload, hash: hash)
            return []
        } catch let error as ImportError {
            return "\(error)".split(separator: "\n").map(String.init)
        }
    }
}
