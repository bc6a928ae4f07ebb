import AllotConfiguration
import Foundation

/// Test cases of other systems in `Tests/Conformance`. SOURCE.txt in each folder names their origin and licence.
package enum Conformance {
    /// The path of a file, such as `growthbook/conditions.json`.
    package static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Conformance/\(name)").path
    }

    /// A file as JSON.
    package static func json(_ name: String) throws -> JSONValue {
        try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: path(name)))))
    }

    /// The objects in a file that holds a list of them, alone or as its member `cases`.
    package static func cases(_ name: String) throws -> [JSONObject] {
        var list = try json(name)
        if case .object(let object) = list { list = object["cases"] ?? .null }
        guard case .array(let cases) = list else { return [] }
        return cases.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }
}
