import AllotConfiguration
import Foundation
import TestSupport

/// The golden answers in `Experiments/vectors`.
enum Vectors {
    static func load(_ name: String, list: String = "cases") throws -> [JSONObject] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try cases(root.appendingPathComponent("Experiments/vectors/\(name).json"), list)
    }

    private static func cases(_ file: URL, _ list: String) throws -> [JSONObject] {
        let value = try JSONValue(parsing: Array(try Data(contentsOf: file)))
        guard case .object(let object) = value, case .array(let cases) = object[list] else { return [] }
        return cases.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }
}

extension JSONObject {
    func text(_ key: String) -> String? {
        if case .string(let text) = self[key] { text } else { nil }
    }

    func integer(_ key: String) -> Int? {
        if case .number(let number) = self[key] { Int(number.text) } else { nil }
    }

    func array(_ key: String) -> [JSONValue] {
        if case .array(let elements) = self[key] { elements } else { [] }
    }
}
