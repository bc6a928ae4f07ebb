import Foundation

/// The manual pages of a program, as the packages have them.
package struct ManualPages {
    /// The text of each page by its name, such as `allot-server.8`, in roff.
    package let pages: [String: String]

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Writes the pages of a program.
    ///
    /// - Parameter description: What the program prints for `--experimental-dump-help`.
    package init(section: Int, description: [UInt8]) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: ".github/packaging/manuals").path
        let folder = try TemporaryFolder()
        let outcome = try Outcome(
            of: URL(filePath: "/usr/bin/env"), ["python3", script, "\(section)", "0.1.0", "2026-11-28", folder.path],
            input: description)
        guard outcome.status == 0 else { throw Failure(description: outcome.errors) }
        pages = Dictionary(uniqueKeysWithValues: try folder.names().map { ($0, try folder.text($0)) })
    }

    /// The headings of a page, in their order.
    package static func headings(_ page: String) -> [String] {
        page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map { String($0.dropFirst(4)) }
    }

    /// A page without the marks of roff.
    package static func plainText(_ page: String) -> String {
        page.replacing("\\fB", with: "").replacing("\\fI", with: "").replacing("\\fR", with: "")
            .replacing("\\-", with: "-")
    }

    /// The requests for a paragraph that no text follows; readers of manual pages warn about them.
    package static func emptyParagraphs(_ page: String) -> [String] {
        let lines = page.split(separator: "\n")
        return zip(lines, lines.dropFirst()).filter { line, next in
            let isRequest = [".PP", ".SH", ".SS", ".TP", ".fi"].contains { next == $0 || next.hasPrefix($0 + " ") }
            return line == ".PP" && isRequest || line.hasPrefix(".SH ") && next == ".PP"
        }.map { "\($0)\n\($1)" }
    }
}
