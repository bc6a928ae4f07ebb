import AllotConfiguration

/// The difference of two texts, as `diff -u` writes it, so that `git apply` and `patch` take it.
package struct UnifiedDifference: Sendable {
    package enum Kind: String, Sendable {
        case same = " "
        case removed = "-"
        case added = "+"
    }

    /// A line of either text, with its line break if it has one.
    package struct Line: Sendable {
        package let kind: Kind
        /// Its number from 1, in the new text for an added line and in the old one for others.
        package let number: Int
        let bytes: ArraySlice<UInt8>

        /// The line without its line break.
        package var text: String {
            var bytes = bytes
            while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The lines of both texts, the removed ones before those that are added in their place.
    private let lines: [Line]

    package init(_ old: [UInt8], _ new: [UInt8]) {
        let (before, after) = (Self.lines(old), Self.lines(new))
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in after.difference(from: before) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        // Walks both texts at once; a line of both advances both.
        var (i, j) = (0, 0)
        while i < before.count || j < after.count {
            let kind: Kind = removed.contains(i) ? .removed : inserted.contains(j) ? .added : .same
            let (bytes, place) = kind == .added ? (after[j], j) : (before[i], i)
            lines.append(Line(kind: kind, number: place + 1, bytes: bytes))
            if kind != .added { i += 1 }
            if kind != .removed { j += 1 }
        }
        self.lines = lines
    }

    package var changes: [Line] { lines.filter { $0.kind != .same } }
    /// The lines that are removed or added, for people: `-` or `+`, a blank and the text.
    package var changedLines: [String] { changes.map { "\($0.kind == .removed ? "-" : "+") \($0.text)" } }

    /// The patch of a file; empty if nothing changes.
    package func patch(of path: String) -> [UInt8] {
        let hunks = self.hunks
        guard !hunks.isEmpty else { return [] }
        let (old, new) = (Self.quoted("a/\(path)"), Self.quoted("b/\(path)"))
        var bytes = Array("diff --git \(old) \(new)\n--- \(old)\n+++ \(new)\n".utf8)
        for hunk in hunks {
            let before = lines[..<hunk.lowerBound]
            let oldCount = lines[hunk].count { $0.kind != .added }
            let newCount = lines[hunk].count { $0.kind != .removed }
            // Without lines a range starts after the line before.
            let oldStart = before.count { $0.kind != .added } + min(oldCount, 1)
            let newStart = before.count { $0.kind != .removed } + min(newCount, 1)
            bytes += "@@ -\(oldStart),\(oldCount) +\(newStart),\(newCount) @@\n".utf8
            for line in lines[hunk] {
                bytes += line.kind.rawValue.utf8
                bytes += line.bytes
                if line.bytes.last != UInt8(ascii: "\n") { bytes += "\n\\ No newline at end of file\n".utf8 }
            }
        }
        return bytes
    }

    private static let context = 3

    /// The ranges of lines with the changes and what is around them.
    private var hunks: [Range<Int>] {
        var hunks: [Range<Int>] = []
        for index in lines.indices where lines[index].kind != .same {
            let range = max(0, index - Self.context)..<min(lines.count, index + Self.context + 1)
            if let last = hunks.last, last.upperBound >= range.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
        return hunks
    }

    /// A path as Git writes it: in quotes, with escapes, unless it is plain.
    private static func quoted(_ path: String) -> String {
        func isPlain(_ byte: UInt8) -> Bool {
            (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        if path.utf8.allSatisfy(isPlain) { return path }
        let escaped = path.utf8.map { byte in
            if isPlain(byte) || byte == UInt8(ascii: " ") { return String(decoding: [byte], as: UTF8.self) }
            return "\\" + byte.zeroPadded(to: 3, radix: 8)
        }
        return "\"\(escaped.joined())\""
    }

    /// The lines of a text, each with its line feed.
    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var (lines, start) = ([ArraySlice<UInt8>](), 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
            lines.append(bytes[start..<end])
            start = end
        }
        return lines
    }
}
