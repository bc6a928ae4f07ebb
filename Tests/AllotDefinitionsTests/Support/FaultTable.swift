import Foundation
import Testing

/// A file of `Fixtures/faults`: definitions and the exact lines that the loader has to say of them.
///
///     -- base.yaml                   a file for all cases; without lines it is `usualBase`
///     …
///     == title                       a case
///     -- e.yaml | status: running    one of its files, from its first line on; `-- no base.yaml` takes one away
///     …
///     => e.yaml:2:1: …               the lines that are expected
///
/// An experiment whose header has its status, and that has no variants, ends with the variants `a` and `b`.
struct FaultTable: Sendable, CustomTestStringConvertible {
    let name: String
    private(set) var cases: [Case] = []

    struct Case: Sendable {
        let title: String
        var files: Files
        var expected: [String] = []
    }

    var testDescription: String { name }

    static let all: [FaultTable] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/faults").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)).map { FaultTable(name: name, text: $0) }
        }
    }()

    /// The base of cases that write an empty one.
    static let usualBase = """
        config_sections:
          Shop:
            settings:
              Color: { value: red }
              Size: { value: 10, type: integer, minimum: 1, maximum: 90 }
              Layout: { value: { columns: 1, padding: { top: 8 } } }

        """

    private init(name: String, text: String) {
        self.name = name
        // The first has the files of all cases.
        var tables = [Case(title: "", files: [:])]
        var file: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let last = tables.count - 1
            if let title = line.after("== ") {
                if last == 0, tables[0].files["base.yaml"] == "" { tables[0].files["base.yaml"] = Self.usualBase }
                tables.append(Case(title: title, files: tables[0].files))
                file = nil
            } else if let expected = line.after("=> ") {
                tables[last].expected.append(expected)
                file = nil
            } else if let absent = line.after("-- no ") {
                tables[last].files[absent] = nil
            } else if let header = line.after("-- ") {
                let parts = header.split(separator: " | ", maxSplits: 1).map(String.init)
                file = parts[0]
                // The mark stays until the variants are known.
                tables[last].files[parts[0]] = parts.count > 1 ? "| \(parts[1])\n" : ""
            } else if let file, !line.isEmpty {
                tables[last].files[file, default: ""] += line + "\n"
            }
        }
        cases = tables.dropFirst().map { table in
            Case(title: table.title, files: table.files.mapValues(Self.completed), expected: table.expected)
        }
    }

    private static func completed(_ text: String) -> String {
        guard let text = text.after("| ") else { return text }
        guard text.hasPrefix("status:"), !text.contains("\nvariants:") else { return text }
        return text + "variants: [{ key: a }, { key: b }]\n"
    }
}

extension String {
    fileprivate func after(_ mark: String) -> String? { hasPrefix(mark) ? String(dropFirst(mark.count)) : nil }
}
