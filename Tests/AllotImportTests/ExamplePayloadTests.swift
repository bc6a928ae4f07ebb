import AllotConfiguration
import AllotCore
import Foundation
import Testing

@testable import AllotImport

/// Payloads with the members and shapes that the vendors' servers write, and users with what the vendors' SDKs serve
/// them. `VendorTests` asks the SDKs again.
struct ExamplePayloadTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Vendors/payloads")

    private static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    @Test(
        "Members that decide nothing leave nothing out, and the report has a note on what matters only",
        arguments: [
            (ImportSystem.growthbook, ["(checkout-layout)", "(discount)", "Unit IDs are read from id"]),
            (.unleash, ["let the app expect text (checkout.single-page)", "Unit IDs are read from userId"]),
            (.launchdarkly, ["Unit IDs are read from key"]), (.statsig, ["The fields of Statsig's users"]),
            (.eppo, [#""inf""#]), (.flagd, ["flagd's daemon", "Unit IDs are read from targetingKey"]),
        ])
    func isTaken(system: ImportSystem, notes: [String]) throws {
        let payload = try Self.bytes("\(system.rawValue).json")
        let definitions = try PayloadImport(of: system).definitions(from: payload)
        for part in notes { #expect(definitions.report.notes.contains { $0.contains(part) }, "\(part)") }
        #expect(definitions.report.notes.filter { $0.contains("not known") } == [])

        let at = try #require(Instant("2026-11-01T00:00:00Z"))
        var (count, served) = (0, Set<JSONValue>())
        for line in try Self.bytes("\(system.rawValue).jsonl").split(separator: UInt8(ascii: "\n")) {
            guard case .object(let user) = try JSONValue(parsing: Array(line)),
                case .object(let attributes)? = user["attributes"], case .object(let expected)? = user["expected"]
            else {
                Issue.record("\(String(decoding: line, as: UTF8.self))")
                continue
            }
            for member in expected.members {
                guard let found = ImportCase.value(definitions, member.key, attributes, at: at) else {
                    #expect(member.value == .null, "\(member.key) is missing")
                    continue
                }
                #expect(found.isEquivalent(to: member.value), "\(member.key), \(attributes)")
                count += 1
                served.insert(member.value)
            }
        }
        #expect(count >= 36)
        #expect(served.count > 2)
    }
}
