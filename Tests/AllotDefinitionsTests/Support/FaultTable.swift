import Foundation
import Testing

/// A file of `Fixtures/faults`: definitions and the exact lines that the loader has to say of them.
///
///     -- base.yaml        a file for all cases
///     …
///     == title            a case
///     -- e.yaml           one of its files; `-- no base.yaml` takes one away
///     …
///     => e.yaml:2:1: …    the lines that are expected
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

    private init(name: String, text: String) {
        self.name = name
        var common: Files = [:]
        var file: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let title = line.after("== ") {
                cases.append(Case(title: title, files: common))
                file = nil
            } else if let expected = line.after("=> ") {
                cases[cases.count - 1].expected.append(expected)
                file = nil
            } else if let absent = line.after("-- no ") {
                cases[cases.count - 1].files[absent] = nil
            } else if let name = line.after("-- ") {
                file = name
                if cases.isEmpty { common[name] = "" } else { cases[cases.count - 1].files[name] = "" }
            } else if let file, !line.isEmpty {
                if cases.isEmpty {
                    common[file, default: ""] += line + "\n"
                } else {
                    cases[cases.count - 1].files[file, default: ""] += line + "\n"
                }
            }
        }
    }
}

extension String {
    fileprivate func after(_ mark: String) -> String? {
        hasPrefix(mark) ? String(dropFirst(mark.count)) : nil
    }
}
