import AllotConfiguration
import Foundation
import Synchronization

@testable import AllotClient

/// Notes whose exposures are reported.
final class ExposureLog: ExposureRecording {
    private let experiments = Mutex<[String]>([])

    var recordsOnReading: Bool { true }
    var exposed: [String] { experiments.withLock { $0 } }

    func record(_ assignment: ExperimentAssignment, in configuration: Configuration) -> Bool {
        experiments.withLock { $0.append(assignment.experiment) }
        return true
    }
}

extension Configuration {
    /// A snapshot of which all is given.
    init(
        _ document: ConfigurationDocument, user: ConfigurationUser, origin: ConfigurationOrigin, fetchedAt: Date?,
        isGeneric: Bool = false, overrides: LocalOverrides, recorder: (any ExposureRecording)?
    ) {
        let provenance = Provenance(origin: origin, fetchedAt: fetchedAt, isGeneric: isGeneric)
        self.init(
            storage: ConfigurationStorage(document, user: user, provenance, overrides: overrides, recorder: recorder))
    }

    /// A section "S" of settings, each of which is set by an experiment of its own name.
    static func sample(_ settings: JSONObject, log: ExposureLog? = nil) -> Configuration {
        let assignments = settings.members.map { member -> (key: String, value: JSONValue) in
            let setting = JSONValue.string("S.\(member.key)")
            return (member.key, ["variant": "b", "reason": "split", "settings": .array([setting])])
        }
        return Configuration(
            ConfigurationDocument(
                sections: ["S": .object(settings)], meta: ["assignments": .object(JSONObject(assignments))]),
            user: .none, origin: .remote, fetchedAt: nil, overrides: LocalOverrides(), recorder: log)
    }

    /// A section "S" with one setting "v".
    static func holding(_ value: JSONValue) -> ConfigurationSection {
        sample(["v": value])["S"] ?? ConfigurationSection(name: "", configuration: .empty, settings: [:])
    }
}

extension ConfigurationSection {
    var activeConfig: ActiveConfigSection { ActiveConfigSection(section: self) }

    func flurry(booleans: FlurrySection.Booleans = .iOS) -> FlurrySection {
        FlurrySection(section: self, booleans: booleans)
    }
}
