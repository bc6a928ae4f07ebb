import AllotConfiguration
import AllotCore
import Foundation
import TestSupport
import Testing

@testable import AllotDefinitions

/// A folder of definitions whose conditions, settings and groups can be edited one at a time.
struct EditableFolder: Sendable, CustomTestStringConvertible {
    let name: String
    let files: [String: JSONValue]
    /// The problems before any edit.
    let problems: Set<String>

    var testDescription: String { name }

    /// A test of an attribute: a member of a condition.
    struct Site {
        let file: String
        let path: [Step]
        let name: String
        let value: JSONValue
        /// Whether the folder uses the attribute in another place as well.
        let isUsedElsewhere: Bool

        /// The operators and their operands; a bare value is `$eq`.
        var tests: [(name: String, operand: JSONValue)] {
            guard case .object(let object) = value, object.members.allSatisfy({ $0.key.hasPrefix("$") }) else {
                return [("$eq", value)]
            }
            return object.members.map { ($0.key, $0.value) }
        }
    }

    enum Step {
        case key(String)
        case index(Int)
    }

    /// The sample folders that exist.
    static let all: [EditableFolder] = {
        let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Experiments").path
        return [samples, SharedData.path("examples/shop")].compactMap { $0 }.compactMap(EditableFolder.init)
    }()

    init?(_ folder: String) {
        name = URL(filePath: folder).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var files: [String: JSONValue] = [:]
        for name in names where name.hasSuffix(".yaml") || name.hasSuffix(".json") {
            guard let text = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return nil }
            files[name.replacing(".json", with: ".yaml")] = SourceTree(Array(text), file: name).root?.json
        }
        self.files = files
        problems = Self.problems(files)
    }

    private static func problems(_ files: [String: JSONValue]) -> Set<String> {
        // Without positions, which edits move.
        Set(DefinitionsLoader.fixed.problems(in: files.mapValues(Self.yaml)).map { "\($0.file): \($0.message)" })
    }

    /// The problems that an edit brings.
    func newProblems(_ edited: [String: JSONValue]) -> [String] {
        Self.problems(files.merging(edited) { $1 }).subtracting(problems).sorted()
    }

    // MARK: Places

    /// The attributes that conditions test, each in all its places.
    var sites: [Site] {
        var found: [(file: String, path: [Step], name: String, value: JSONValue)] = []
        func collect(_ condition: JSONValue, _ file: String, _ path: [Step]) {
            guard case .object(let object) = condition else { return }
            for member in object.members {
                switch (member.key, member.value) {
                case ("$and", .array(let parts)), ("$or", .array(let parts)), ("$nor", .array(let parts)):
                    for (index, part) in parts.enumerated() {
                        collect(part, file, path + [.key(member.key), .index(index)])
                    }
                case ("$not", let part): collect(part, file, path + [.key("$not")])
                case ("$segment", _): break
                default: found.append((file, path, member.key, member.value))
                }
            }
        }
        for (file, root) in files.sorted(by: { $0.key < $1.key }) {
            guard case .object(let object) = root else { continue }
            if file == "segments.yaml" {
                for member in object.members { collect(member.value, file, [.key(member.key)]) }
            } else if let audience = object["audience"] {
                collect(audience, file, [.key("audience")])
            }
        }
        let counts = Dictionary(found.map { ($0.name, 1) }, uniquingKeysWith: +)
        return found.map {
            let isUsedElsewhere = $0.name == "user_id" || (counts[$0.name] ?? 0) > 1
            return Site(
                file: $0.file, path: $0.path, name: $0.name, value: $0.value, isUsedElsewhere: isUsedElsewhere)
        }
    }

    /// The file of a site with other members in place of its test.
    func replacing(_ site: Site, with members: [(String, JSONValue)]) -> [String: JSONValue] {
        guard let root = files[site.file] else { return [:] }
        return [
            site.file: root.edited(at: site.path[...]) { condition in
                guard case .object(let object) = condition else { return condition }
                let others = object.members.filter { $0.key != site.name }.map { (key: $0.key, value: $0.value) }
                return .object(JSONObject(others + members.map { (key: $0.0, value: $0.1) }))
            }
        ]
    }

    /// The file with another value at a path.
    func setting(_ file: String, _ path: [String], _ value: JSONValue) -> [String: JSONValue] {
        files[file].map { [file: $0.edited(at: path.map(Step.key)[...]) { _ in value }] } ?? [:]
    }

    /// The paths of the base's values that no `enum` or `pattern` restricts, with the values.
    var settings: [(file: String, path: [String], value: JSONValue)] {
        guard let sections = files["base.yaml"]?.object?["config_sections"]?.object else { return [] }
        return sections.members.flatMap { section in
            (section.value.object?["settings"]?.object?.members ?? []).compactMap { setting in
                let declaration = setting.value.object ?? [:]
                if declaration["enum"] != nil || declaration["pattern"] != nil { return nil }
                return declaration["value"].map {
                    ("base.yaml", ["config_sections", section.key, "settings", setting.key, "value"], $0)
                }
            }
        }
    }

    // MARK: YAML

    /// Text that is written as it is, without quotes.
    static func raw(_ text: String) -> JSONValue { .string("⟪\(text)⟫") }

    static func yaml(_ value: JSONValue) -> String {
        switch value {
        case .object(let object):
            "{ " + object.members.map { "\(yaml(.string($0.key))): \(yaml($0.value))" }.joined(separator: ", ") + " }"
        case .array(let elements): "[" + elements.map(yaml).joined(separator: ", ") + "]"
        case .string(let text) where text.hasPrefix("⟪"): String(text.dropFirst().dropLast())
        case .string, .number, .boolean, .null: value.canonicalText
        }
    }
}

extension JSONValue {
    var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    func edited(at path: ArraySlice<EditableFolder.Step>, _ edit: (JSONValue) -> JSONValue) -> JSONValue {
        switch (path.first, self) {
        case (.key(let key), .object(var object)):
            object[key] = (object[key] ?? .null).edited(at: path.dropFirst(), edit)
            return .object(object)
        case (.index(let index), .array(var elements)):
            elements[index] = elements[index].edited(at: path.dropFirst(), edit)
            return .array(elements)
        default: return edit(self)
        }
    }
}
