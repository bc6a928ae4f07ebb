import AllotConfiguration
import AllotCore
import AllotImport
import Foundation
import Testing

/// The article "Move a running experiment here" shows a payload for each system and what its SDK serves; Allot serves
/// the same after the import.
struct MovingArticleTests {
    /// What the article shows of a system.
    struct Example: Sendable, CustomTestStringConvertible {
        let system: ImportSystem
        let payload: String
        /// The system's names of attributes, and Allot's.
        let units: [String: String]
        let setting: String
        let rows: [(subject: String, value: String)]

        var testDescription: String { system.rawValue }
    }

    private static let article = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/AllotImport/AllotImport.docc/MovingARunningExperiment.md")

    static let examples: [Example] = {
        guard let text = try? String(contentsOf: article, encoding: .utf8) else { return [] }
        return text.components(separatedBy: "\n### ").compactMap(example)
    }()

    private static func example(_ section: String) -> Example? {
        let lines = section.split(separator: "\n").map(String.init)
        guard let start = lines.firstIndex(of: "```json"), let end = lines[start...].firstIndex(of: "```"),
            let words = lines.first(where: { $0.hasPrefix("allot import ") })?.split(separator: " "),
            let system = ImportSystem(rawValue: String(words[2]))
        else { return nil }
        let cells = lines.filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: ["`", " "]) }
        }
        guard let title = cells.first?.last, title.hasPrefix("Flags.") else { return nil }
        let units = words.compactMap { word -> (String, String)? in
            let parts = word.split(separator: "=")
            return parts.count == 2 ? (String(parts[1]), String(parts[0])) : nil
        }
        return Example(
            system: system, payload: lines[start + 1..<end].joined(separator: "\n"),
            units: Dictionary(uniqueKeysWithValues: units), setting: String(title.dropFirst("Flags.".count)),
            rows: cells.dropFirst().map { ($0[0], $0[1]) })
    }

    @Test("The article has an example for each system with experiments")
    func everySystem() {
        let shown = Set(Self.examples.map(\.system))
        #expect(shown == Set(ImportSystem.allCases).subtracting([.parse]))
    }

    @Test("The article names the versions of the SDKs that decisions are compared with")
    func versions() throws {
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        let requirements = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Vendors/requirements.txt")
        let lines = try String(contentsOf: requirements, encoding: .utf8).split(separator: "\n")
        for line in lines where !line.hasPrefix("#") && !line.hasPrefix("cryptography") {
            let parts = line.components(separatedBy: "==")
            #expect(parts.count == 2, "\(line)")
            #expect(text.contains("`\(parts[0])` \(parts[parts.count - 1])"), "\(line)")
        }
    }

    @Test("An imported example decides as the article says that the SDK does", arguments: examples)
    func decides(example: Example) throws {
        let definitions = try ImportCase.definitions(example.system, example.payload, attributes: example.units)
        #expect(definitions.report.notes.filter { $0.contains("not known") } == [])
        let plan = definitions.loaded.plan
        #expect(example.rows.count >= 4)
        for row in example.rows {
            var words = row.subject.split(separator: " ").map(String.init)
            var subject = Subject(id: words.removeFirst())
            for word in words {
                let parts = word.split(separator: "=").map(String.init)
                subject.setUntyped(parts[0], parts[1])
            }
            let value = plan.configuration(for: subject, at: Instant(seconds: 1_795_262_400))
                .value("Flags", example.setting)
            #expect(value?.canonicalText == row.value, "\(row.subject)")
        }
    }
}
