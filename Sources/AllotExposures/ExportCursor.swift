internal import AllotConfiguration
import Foundation

/// The content of a file between two exports: the cursor, and the selection that was exported.
package struct ExportCursor: Sendable, Hashable {
    /// The cursor at which the export ended.
    package let position: Int64
    /// The selection as JSON; empty in files of versions that did not write it.
    package let selection: String

    package init(_ position: Int64, of selection: ExposureSelection) {
        self.position = position
        self.selection = Self.text(of: selection)
    }

    /// Reads the content of a file. Returns `nil` if it holds no cursor.
    package init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let lines = text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let position = Int64(lines[0]), position >= 0, lines.count <= 2 else { return nil }
        self.position = position
        selection = lines.count == 2 ? lines[1] : ""
    }

    /// The content of the file: the cursor, and the selection on the next line.
    package var bytes: [UInt8] { Array("\(position)\n\(selection)\n".utf8) }

    /// Whether an export of a selection can go on here: after an export of another one it would leave out rows.
    package func isContinued(by selection: ExposureSelection) -> Bool {
        self.selection.isEmpty || UTF8Order.areEqual(self.selection, Self.text(of: selection))
    }

    private static func text(of selection: ExposureSelection) -> String {
        var object: JSONObject = ["counted": .boolean(selection.isCounted)]
        object["experiment"] = selection.experiment.map(JSONValue.string)
        object["salt"] = selection.salt.map(JSONValue.string)
        return JSONValue.object(object).canonicalText
    }
}
