import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotImport
import Foundation
import TestSupport
import Testing

/// The cases that vendors publish for the makers of SDKs, decided by what their payloads become here.
struct PublishedCasesTests {
    private static let folder = "conformance/migration"

    @Test(
        "Eppo's subjects are assigned what Eppo's cases say",
        .enabled(if: SharedData.path("\(folder)/eppo") != nil, "\(SharedData.absence(of: folder))"))
    func eppo() throws {
        let folder = try #require(SharedData.path("\(Self.folder)/eppo"))
        let plan = try plan(of: .eppo, json("\(folder)/flags-v1.json"))
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("test-") {
            guard case .object(let file) = try json("\(folder)/\(name)"), case .string(let flag)? = file["flag"],
                let standard = file["defaultValue"]
            else { continue }
            for case .object(let subject) in list(file["subjects"]) {
                guard case .string(let key)? = subject["subjectKey"],
                    case .object(let attributes)? = subject["subjectAttributes"], let expected = subject["assignment"]
                else { continue }
                let found = value(of: flag, for: Subject(id: key, attributes: attributes), plan)
                #expect((found == .null ? standard : found).isEquivalent(to: expected), "\(flag) of \(key)")
                count += 1
            }
        }
        #expect(count > 50)
    }

    @Test(
        "Unleash's contexts get what Unleash's specifications say",
        .enabled(if: SharedData.path("\(folder)/unleash") != nil, "\(SharedData.absence(of: folder))"))
    func unleash() throws {
        let folder = try #require(SharedData.path("\(Self.folder)/unleash"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        for name in names {
            guard case .object(let file) = try json("\(folder)/\(name)"), let state = file["state"] else { continue }
            let tests = list(file["tests"]) + list(file["variantTests"])
            #expect(!tests.isEmpty, "\(name)")
            #expect(try check(tests, of: plan(of: .unleash, state)) == tests.count, "\(name)")
        }
        #expect(!names.isEmpty)
    }

    /// Decides cases of one of Unleash's specifications, and returns how many there are.
    private func check(_ tests: [JSONValue], of plan: Plan) throws -> Int {
        var count = 0
        for case .object(let test) in tests {
            guard case .string(let feature)? = test["toggleName"], case .object(var context)? = test["context"],
                let expected = test["expectedResult"]
            else { continue }
            if case .object(let properties)? = context["properties"] {
                for property in properties.members { context[property.key] = property.value }
            }
            let subject = Subject(attributes: context)
            var now = Self.now
            if case .string(let time)? = context["currentTime"] { now = try #require(Instant(time)) }
            switch expected {
            case .object(let variant):
                let isEnabled = variant["enabled"] == true
                let found = value(of: feature, for: subject, plan, at: now)
                #expect(found == (variant["feature_enabled"] ?? false), "\(feature)")
                #expect(
                    value(of: "\(feature).variant", for: subject, plan, at: now)
                        == (isEnabled ? variant["name"] : .null), "\(feature)")
            default:
                #expect(value(of: feature, for: subject, plan, at: now) == expected, "\(feature) of \(context)")
            }
            count += 1
        }
        return count
    }

    @Test(
        "Published payloads are imported whole, and all their members are known",
        .enabled(if: SharedData.path(payloads) != nil, "\(SharedData.absence(of: payloads))"),
        arguments: [(ImportSystem.statsig, "statsig-v2"), (.flagd, "flagd-opentelemetry-demo")])
    func wholePayloads(system: ImportSystem, name: String) throws {
        let path = try #require(SharedData.path("\(Self.payloads)/\(name).json"))
        let definitions = try PayloadImport(of: system).definitions(from: json(path))
        #expect(definitions.report.importedCount > 0)
        #expect(definitions.report.leftOutCount == 0)
        #expect(definitions.report.notes.filter { $0.contains("not known") } == [])
        // Those of Statsig have an active experiment, alone and in a layer.
        let variants = definitions.loaded.definitions.experiments.map { $0.variants.map(\.key) }
        #expect(variants.count { $0 == ["Control", "Test"] } == (system == .statsig ? 2 : 0))
    }

    // MARK: Helpers

    private static let payloads = "conformance/payloads"

    private func plan(of system: ImportSystem, _ payload: JSONValue) throws -> Plan {
        try PayloadImport(of: system).definitions(from: payload).loaded.plan
    }

    /// The time of cases that say none.
    private static let now = Instant(seconds: 1_790_000_000)

    /// The value of a setting; features that do not exist, and those without variants, have none.
    private func value(
        of setting: String, for subject: Subject, _ plan: Plan, at instant: Instant = now
    ) -> JSONValue {
        let missing: JSONValue = setting.hasSuffix(".variant") ? .null : false
        return plan.configuration(for: subject, at: instant).value("Flags", setting) ?? missing
    }

    private func list(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let elements)? = value { elements } else { [] }
    }

    private func json(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: path))))
    }
}
