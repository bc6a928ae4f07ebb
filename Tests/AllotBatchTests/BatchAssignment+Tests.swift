import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles

@testable import AllotBatch

extension MemoryOutput {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension BatchAssignment {
    /// The outputs for CSV in memory.
    func outputs(of csv: String) throws -> (text: String, rejects: String, summary: BatchSummary) {
        let (output, rejects) = (MemoryOutput(), MemoryOutput())
        let summary = try run(InputFile(csv), output: output, rejects: rejects)
        return (output.text, rejects.text, summary)
    }
}

extension InputFile {
    /// CSV in memory.
    init(_ csv: String) { self.init(bytes: Array(csv.utf8), name: "in.csv") }
}

extension Plan {
    /// The plan of files, by their names without the ending.
    static func loaded(_ files: [(String, String)]) throws -> Plan {
        try DefinitionsLoader(now: Instant(seconds: 1_795_262_400)).load(
            files.map { DefinitionSource(name: "\($0.0).yaml", bytes: Array($0.1.utf8)) }
        ).plan
    }
}

/// A field as RFC 4180 has it, in quotes only if it needs them.
func csvField(_ text: String, _ delimiter: CSVDelimiter = .comma) -> String {
    guard text.utf8.contains(where: { [delimiter.byte, 34, 10, 13].contains($0) }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
}

/// Lines of fields.
func csvText(_ rows: [[String]], _ delimiter: CSVDelimiter = .comma) -> String {
    rows.map { row in row.map { csvField($0, delimiter) }.joined(separator: delimiter.text) + "\n" }.joined()
}
