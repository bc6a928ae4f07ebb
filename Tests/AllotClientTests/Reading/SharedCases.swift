import AllotConfiguration
import Foundation
import Synchronization

@testable import AllotClient

/// What other systems answer, from the shared data.
enum SharedCases {
    /// A file of the data; `nil` where they are not at hand.
    static func load(_ path: String) throws -> JSONValue? {
        let root = ProcessInfo.processInfo.environment["ALLOT_SHARED"].map { URL(fileURLWithPath: $0) } ?? sibling
        let file = root.appendingPathComponent("conformance/\(path)")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try JSONValue(parsing: Array(try Data(contentsOf: file)))
    }

    static var areAtHand: Bool {
        (try? load("parse/type_encodings.json")) != nil
    }

    private static var sibling: URL {
        var checkout = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { checkout.deleteLastPathComponent() }
        return checkout.deletingLastPathComponent().appendingPathComponent("shared")
    }
}

/// Notes whose exposures are reported.
final class ExposureLog: ExposureRecording {
    private let experiments = Mutex<[String]>([])

    var recordsOnReading: Bool { true }
    var exposed: [String] { experiments.withLock { $0 } }

    func record(_ assignment: Assignment, in configuration: Configuration) {
        experiments.withLock { $0.append(assignment.experiment) }
    }
}

extension Configuration {
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
