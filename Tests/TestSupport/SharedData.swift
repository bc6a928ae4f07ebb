import AllotConfiguration
import Foundation

/// Data that are for testing only and not part of the project: in the folder of the environment's `ALLOT_SHARED`, or beside
/// the project in `shared`.
package enum SharedData {
    /// Why tests that need them are skipped.
    package static let absence = "the shared conformance data is not at hand: set ALLOT_SHARED"

    /// Whether a file is at hand.
    package static func has(_ name: String) -> Bool {
        path(name) != nil
    }

    /// The path of a file; `nil` where the data are not at hand.
    package static func path(_ name: String) -> String? {
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")
        let folder = ProcessInfo.processInfo.environment["ALLOT_SHARED"].map { URL(fileURLWithPath: $0) } ?? beside
        let file = folder.appendingPathComponent(name).path
        return FileManager.default.fileExists(atPath: file) ? file : nil
    }

    /// The objects in a file that holds a list of them; none where the data are not at hand.
    package static func cases(_ name: String) throws -> [JSONObject] {
        guard case .array(let cases) = try json(name) else { return [] }
        return cases.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }

    /// A file as JSON; `null` where the data are not at hand.
    package static func json(_ name: String) throws -> JSONValue {
        guard let path = path(name) else { return .null }
        return try JSONValue(parsing: Array(Data(contentsOf: URL(fileURLWithPath: path))))
    }
}
