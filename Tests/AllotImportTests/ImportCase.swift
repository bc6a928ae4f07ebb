import AllotConfiguration
import AllotCore
import AllotImport
import Testing

/// Imports a payload that a test has as text.
enum ImportCase {
    static func definitions(
        _ system: ImportSystem, _ payload: String, hash: FlagdHash = .daemon, skipsInexact: Bool = false,
        attributes: [String: String] = [:]
    ) throws -> ImportedDefinitions {
        var conversion = PayloadImport(of: system)
        conversion.attributes = attributes
        conversion.flagdHash = hash
        conversion.skipsInexact = skipsInexact
        return try conversion.definitions(from: Array(payload.utf8))
    }

    /// The value that is served to a unit.
    static func value(
        _ definitions: ImportedDefinitions, _ setting: String, _ attributes: JSONObject,
        at instant: Instant = Instant(seconds: 0)
    ) -> JSONValue? {
        definitions.loaded.plan.configuration(for: Subject(attributes: attributes), at: instant)
            .value("Flags", setting)
    }

    static func notes(_ system: ImportSystem, _ payload: String, hash: FlagdHash = .daemon) throws -> [String] {
        try definitions(system, payload, hash: hash).report.notes
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

    /// Expects that a payload has one problem, which begins with a place and a message.
    static func expect(
        _ problem: String, of system: ImportSystem, _ payload: String, hash: FlagdHash = .daemon,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let problems = try problems(system, payload, hash: hash)
        #expect(problems.count == 1, "\(problems)", sourceLocation: sourceLocation)
        #expect(problems.first?.hasPrefix(problem) == true, "\(problems)", sourceLocation: sourceLocation)
    }
}

extension JSONValue {
    /// Copies with one part changed, for each part for which `change` returns another value, with the part's path.
    func copies(at path: String = "$", change: (JSONValue) -> JSONValue?) -> [(path: String, value: JSONValue)] {
        var copies: [(path: String, value: JSONValue)] = []
        if let changed = change(self) { copies.append((path, changed)) }
        if case .array(let elements) = self {
            for index in elements.indices {
                for (path, value) in elements[index].copies(at: "\(path)[\(index)]", change: change) {
                    var elements = elements
                    elements[index] = value
                    copies.append((path, .array(elements)))
                }
            }
        } else if case .object(let object) = self {
            for member in object.members {
                for (path, value) in member.value.copies(at: "\(path).\(member.key)", change: change) {
                    var object = object
                    object[member.key] = value
                    copies.append((path, .object(object)))
                }
            }
        }
        return copies
    }
}
