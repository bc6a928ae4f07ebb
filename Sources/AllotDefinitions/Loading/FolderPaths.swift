import AllotConfiguration
import AllotFiles

/// Cuts the path of a definitions folder out of messages for readers who do not need to know where a server keeps its
/// files: `/srv/shop/Experiments/button.yaml:3:1` becomes `button.yaml:3:1`.
package struct FolderPaths: Sendable {
    /// The folder as it was named and as it is, and the folders above it, the longest first.
    private let paths: [[UInt8]]

    package init(_ folder: String) {
        var paths = [Self.withoutSlashes(folder)]
        if let real = realpath(folder, nil) {
            defer { free(real) }
            paths.append(String(cString: real))
        }
        for path in paths where path.hasPrefix("/") {
            var parts = path.split(separator: "/").dropLast()
            while !parts.isEmpty {
                paths.append("/" + parts.joined(separator: "/"))
                parts.removeLast()
            }
        }
        self.paths = paths.filter { !$0.isEmpty && $0 != "." }.map { Array($0.utf8) }.sorted { $1.count < $0.count }
    }

    /// A message with the names of files in place of their paths, and the name of a folder in place of its path.
    package func cut(from message: String) -> String {
        let bytes = Array(message.utf8)
        var (result, index) = ([UInt8](), 0)
        while index < bytes.count {
            let isStart = index == 0 || !Self.isOfPath(bytes[index - 1])
            guard isStart, let path = paths.first(where: { Self.begins(bytes[index...], with: $0) }) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            index += path.count
            if index < bytes.count, bytes[index] == UInt8(ascii: "/") {
                index += 1
            } else {
                result += path.suffix { $0 != UInt8(ascii: "/") }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a text begins with a path; with a relative one, and not with a longer name, which can be a word.
    private static func begins(_ text: ArraySlice<UInt8>, with path: [UInt8]) -> Bool {
        guard text.starts(with: path) else { return false }
        let next = text.dropFirst(path.count).first
        return path.first == UInt8(ascii: "/") || next.map { $0 == UInt8(ascii: "/") || !isOfPath($0) } ?? true
    }

    private static func isOfPath(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isUnreservedInURI || byte == UInt8(ascii: "/")
    }

    private static func withoutSlashes(_ path: String) -> String {
        String(path.reversed().drop { $0 == "/" }.reversed())
    }
}

extension [UInt8] {
    /// The bytes after the last one that does not satisfy a condition.
    fileprivate func suffix(while satisfies: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !satisfies($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}
