import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

/// Appfigurate's own examples, and the problems that Allot reports in them.
struct AppfigurateConformanceTests {
    /// A list of the cases.
    fileprivate static func list(_ name: String) throws -> [JSONValue] {
        guard case .array(let elements) = try Conformance.json("appfigurate/\(name).json") else { return [] }
        return elements
    }

    /// A property as the examples define it.
    struct Property: Sendable {
        let members: JSONObject

        var name: String { members.text("name") ?? "" }

        private func number<Value: SettingValue>(_ key: String, _: Value.Type) throws -> Value? {
            try members[key].map { try Value(json: $0) }
        }

        private func choices<Value: SettingValue>(_: Value.Type) throws -> SettingChoices<Value>? {
            guard case .object(let values)? = members["values"] else { return nil }
            return SettingChoices(
                labelled: try values.members.map { (label: $0.key, value: try Value(json: $0.value)) })
        }

        private var isList: Bool { members.text("control") == "list" }

        private func declareNumber<Value: SettingValue & Numeric & Comparable>(
            _ type: Value.Type
        ) throws -> any Sendable {
            let choices = try choices(type)
            return Setting(
                wrappedValue: Value.zero, name,
                in: SettingRange(minimum: try number("min", type), maximum: try number("max", type)),
                choices: isList ? choices : nil, suggestions: isList ? [] : choices ?? [],
                matching: members.text("regex"))
        }

        /// Declares it as a setting, with the default that its type has.
        func declare(default text: String?) throws -> any Sendable {
            switch members.text("type") {
            case "bool": return Setting(wrappedValue: false, name)
            case "int": return try declareNumber(Int.self)
            case "float": return try declareNumber(Float.self)
            case "double": return try declareNumber(Double.self)
            case "string":
                let choices = try choices(String?.self)
                return Setting(
                    wrappedValue: text, name, choices: isList ? choices : nil,
                    suggestions: isList ? [] : choices ?? [], matching: members.text("regex"))
            default:
                Issue.record("\(name) has a type that is not known")
                return name
            }
        }
    }

    /// All properties as settings of one section.
    struct Examples: SettingsSection {
        /// The default of the property for which the document's own example sets one.
        @TaskLocal static var colour: String?
        static let section = "Appfigurate"
        let settings: [any Sendable]

        init() { settings = Self.made() }

        private static func made() -> [any Sendable] {
            do {
                return try AppfigurateConformanceTests.list("property_definitions").compactMap { value in
                    guard case .object(let members) = value else { return nil }
                    let property = Property(members: members)
                    return try property.declare(default: property.name == "foregroundColorHex" ? colour : nil)
                }
            } catch {
                Issue.record(error)
                return []
            }
        }
    }

    static func findings() -> [String] {
        do throws(SettingsCatalogError) {
            _ = try SettingsCatalog(Examples.self)
            return []
        } catch { return error.findings }
    }

    @Test("All faults of Appfigurate's examples are reported")
    func everyFaultOfTheExamplesIsNamed() throws {
        let asWritten = Self.findings()
        let withReset = Examples.$colour.withValue("fa3bcc") { Self.findings() }
        var expected: [String] = []
        var expectedOfReset: [String] = []
        for case .array(let entry) in try Self.list("definition_findings") {
            guard entry.count == 4, case .string(let name) = entry[0], case .string(let what) = entry[1] else {
                Issue.record("a finding has another form")
                continue
            }
            switch what {
            case "(type default)": expected.append("\(name) invalidDefault")
            case "reset()": expectedOfReset.append("\(name) invalidDefault \(entry[2].canonicalText)")
            default: expected.append("\(name) invalidChoice \"\(what)\"")
            }
        }
        #expect(expected.count == 10)
        #expect(expectedOfReset.count == 1)
        /// The setting, the kind of fault, and the label of a choice.
        func named(_ finding: String) -> String {
            let parts = finding.dropFirst("Appfigurate.".count).split(separator: ": ", maxSplits: 1)
            guard parts[1].hasPrefix("the choice") else { return "\(parts[0]) invalidDefault" }
            return "\(parts[0]) invalidChoice \(parts[1].split(separator: " ")[2])"
        }
        #expect(asWritten.map(named).sorted() == expected.sorted())
        let ofReset = withReset.filter { !asWritten.contains($0) }
        #expect(ofReset.map { "\(named($0)) \($0.split(separator: " ")[4].dropLast())" } == expectedOfReset)
    }

    @Test("Appfigurate's values are accepted and refused as documented")
    func everyValue() throws {
        let declarations = DeclaredSection(Examples.self).declarations
        let cases = try Self.list("value_cases")
        #expect(cases.count >= 28)
        #expect(declarations.count == 16)
        for case .object(let entry) in cases {
            let name = try #require(entry.text("property"))
            let declaration = try #require(declarations.first { $0.setting == name })
            let value = try #require(entry["value"])
            let kinds = declaration.violations(of: value).map(\.kind)
            guard entry["valid"] == false else {
                #expect(kinds == [], "\(name) \(value)")
                continue
            }
            let why = try #require(entry.text("why"))
            let expected: Set<SettingViolation.Kind> =
                switch why.split(separator: " ").first {
                case "min": [.minimum]
                case "max": [.maximum]
                case "min/max": [.minimum, .maximum]
                case "list": [.choices]
                default: [.pattern]
                }
            #expect(!expected.isDisjoint(with: kinds), "\(name) \(value): \(why)")
        }
    }
}
