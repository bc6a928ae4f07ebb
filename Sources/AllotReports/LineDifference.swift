/// The added and the removed lines of a text, as `diff` shows them, without the lines that stay.
package struct LineDifference {
    package let lines: [String]

    package init(_ old: [UInt8], _ new: [UInt8]) {
        let (before, after) = (Self.lines(old), Self.lines(new))
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in after.difference(from: before) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        // Walks both texts at once; a line of both advances both.
        var lines: [String] = []
        var (i, j) = (0, 0)
        while i < before.count || j < after.count {
            if removed.contains(i) {
                lines.append("    - \(before[i])")
                i += 1
            } else if inserted.contains(j) {
                lines.append("    + \(after[j])")
                j += 1
            } else {
                (i, j) = (i + 1, j + 1)
            }
        }
        self.lines = lines
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self)
        }
    }
}
