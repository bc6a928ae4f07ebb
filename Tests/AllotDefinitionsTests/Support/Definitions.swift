import AllotCore
import AllotDefinitions
import TestSupport

/// Definitions in memory: the text of each file by its name.
typealias Files = [String: String]

extension DefinitionsLoader {
    /// 2026-11-21T00:00:00Z, for all tests.
    static let fixed = DefinitionsLoader(now: Instant(seconds: 1_795_219_200))

    func plan(of files: Files) throws -> Plan { try load(files.sources).plan }

    /// Errors and warnings alike.
    func problems(in files: Files) -> [DefinitionProblem] {
        do { return try load(files.sources).warnings } catch .invalid(let problems) { return problems } catch {
            return [DefinitionProblem(severity: .error, file: "", position: nil, message: "\(error)", path: nil)]
        }
    }

    func lines(of files: Files) -> [String] { problems(in: files).map(\.description) }

    /// The errors and warnings of a folder on disk, without its path before the names of files.
    func lines(in folder: TemporaryFolder) -> [String] {
        do {
            return try load(folder: folder.path).warnings.map { $0.description.replacing(folder.path + "/", with: "") }
        } catch {
            return error.description.replacing(folder.path + "/", with: "").split(separator: "\n").map(String.init)
        }
    }
}

extension Files {
    var sources: [DefinitionSource] { map { DefinitionSource(name: $0.key, bytes: Array($0.value.utf8)) } }

    /// A base with the settings that most tests need.
    static let base: Files = [
        "base.yaml": FaultTable.usualBase + """
              Home:
                settings:
                  Color: { value: red }
            """
    ]

    static func + (left: Files, right: Files) -> Files { left.merging(right) { $1 } }
}

/// An experiment whose second variant sets `Shop.Color`, unless the text gives other variants; running, unless it gives
/// another status.
func experiment(_ text: String) -> String {
    var lines = text.split(separator: "\n").map(String.init)
    if !text.contains("status:") { lines.append("status: running") }
    if !text.contains("variants:") {
        lines.append("variants: [{ key: a }, { key: b, overrides: { Shop: { Color: blue } } }]")
    }
    return lines.joined(separator: "\n")
}
