/// Which lines of a text are new and which are gone, as `diff` shows it, without the lines that stay.
struct LineDifference {
    let lines: [String]

    init(_ old: [UInt8], _ new: [UInt8]) {
        let (before, after) = (Self.lines(old), Self.lines(new))
        let difference = after.difference(from: before)
        var removed = Dictionary(
            difference.removals.map { change in
                guard case .remove(let offset, let line, _) = change else { return (-1, "") }
                return (offset, line)
            }, uniquingKeysWith: { first, _ in first })
        let inserted = Dictionary(
            difference.insertions.map { change in
                guard case .insert(let offset, let line, _) = change else { return (-1, "") }
                return (offset, line)
            }, uniquingKeysWith: { first, _ in first })
        // Both texts side by side: a line of both moves both on.
        var lines: [String] = []
        var (i, j) = (0, 0)
        while i < before.count || j < after.count {
            if let line = removed.removeValue(forKey: i) {
                lines.append("    - \(line)")
                i += 1
            } else if let line = inserted[j] {
                lines.append("    + \(line)")
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
