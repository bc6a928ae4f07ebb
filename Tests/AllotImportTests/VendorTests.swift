import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotImport
import Foundation
import TestSupport
import Testing

/// Imported payloads decide as the vendors' own SDKs do, which run in Python.
///
/// The scripts in the folder `Vendors` make random payloads and users. They need the packages of `requirements.txt`.
@Suite(.blocks) struct VendorTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let python = environment["ALLOT_IMPORT_PYTHON"]
    private static let absence: Comment = "ALLOT_IMPORT_PYTHON names no Python with the vendors' SDKs"

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vendors")

    private static func number(_ variable: String, default standard: Int) -> Int {
        environment[variable].flatMap(Int.init) ?? standard
    }

    /// Those that have a script; `ALLOT_IMPORT_SYSTEMS` names some of them, for runs of any size.
    private static let systems = ImportSystem.allCases.filter { system in
        environment["ALLOT_IMPORT_SYSTEMS"]?.contains(system.rawValue) != false
            && FileManager.default.fileExists(atPath: folder.appending(path: "\(system.rawValue).py").path)
    }

    @Test(
        "No user gets another value than from the vendor's SDK", .enabled(if: python != nil, absence),
        arguments: systems)
    func decisions(system: ImportSystem) throws {
        let output = try TemporaryFolder()
        try generate(system, into: output)
        var (flags, imported, values) = (0, 0, 0)
        var differences: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: output.path).sorted() {
            let folder = URL(filePath: output.path).appending(path: name)
            var conversion = PayloadImport(of: system)
            conversion.skipsInexact = true
            let payload = try JSONValue(parsing: bytes(folder.appending(path: "payload.json")))
            if system == .flagd { conversion.flagdHash = try #require(Self.flagdHash(payload)) }
            let definitions = try conversion.definitions(from: payload)
            flags += definitions.report.importedCount + definitions.report.leftOutCount
            imported += definitions.report.importedCount
            if Self.environment["ALLOT_IMPORT_REPORT"] != nil {
                print(definitions.report.lines.joined(separator: "\n"))
            }
            let at = try #require(Instant(String(decoding: bytes(folder.appending(path: "at")), as: UTF8.self)))
            for line in try bytes(folder.appending(path: "users.jsonl")).split(separator: UInt8(ascii: "\n")) {
                guard case .object(let user) = try JSONValue(parsing: Array(line)),
                    case .object(let attributes) = user["attributes"], case .object(let expected) = user["expected"]
                else { throw Malformed() }
                let document = definitions.loaded.plan.configuration(for: Subject(attributes: attributes), at: at)
                for member in expected.members {
                    guard let found = document.value("Flags", member.key) else { continue }
                    values += 1
                    guard !found.isEquivalent(to: member.value), differences.count < 10 else { continue }
                    differences.append(
                        "payload \(name), \(member.key): \(found.canonicalText), but the SDK serves "
                            + "\(member.value.canonicalText) to \(JSONValue.object(attributes).canonicalText)")
                }
            }
        }
        #expect(differences == [])
        #expect(values > 0)
        #expect(Double(imported) >= 0.9 * Double(flags), "\(imported) of \(flags) flags are imported")
        print("\(system.rawValue): \(imported) of \(flags) flags imported, \(values) values compared")
    }

    private struct Malformed: Error {}

    /// The hash of `fractional` with which a payload was decided.
    private static func flagdHash(_ payload: JSONValue) -> FlagdHash? {
        guard case .object(let object) = payload, case .object(let metadata)? = object["metadata"],
            case .string(let name)? = metadata["hash"]
        else { return nil }
        return FlagdHash(rawValue: name)
    }

    /// Writes payloads, users and the values that the SDK serves to them.
    private func generate(_ system: ImportSystem, into output: TemporaryFolder) throws {
        let python = try #require(Self.python)
        let script = Self.folder.appending(path: "\(system.rawValue).py").path
        let outcome = try Outcome(
            of: URL(filePath: python),
            [
                script, "--seed", "\(Self.number("ALLOT_IMPORT_SEED", default: 18))", "--payloads",
                "\(Self.number("ALLOT_IMPORT_PAYLOADS", default: 5))", "--users",
                "\(Self.number("ALLOT_IMPORT_USERS", default: 200))", "-o", output.path,
            ])
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    private func bytes(_ file: URL) throws -> [UInt8] {
        Array(try Data(contentsOf: file))
    }
}
