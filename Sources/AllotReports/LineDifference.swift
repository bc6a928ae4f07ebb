/// The added and the removed lines of a text, as `diff` shows them, without the lines that stay.
package struct LineDifference {
    package let lines: [String]

    package init(_ old: [UInt8], _ new: [UInt8]) {
        let (before, after) = (Self.lines(old), Self.lines(new))
        lines = UnifiedDifference.compare(before, after).compactMap { kind, index in
            switch kind {
            case .same: nil
            case .removed: "- \(before[index])"
            case .added: "+ \(after[index])"
            }
        }
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self)
        }
    }
}
