import AllotConfiguration
import AllotDefinitions

/// Reads the bytes of a payload, and names their format if they are not text of its form.
enum PayloadText {
    static func value(of bytes: [UInt8], for system: ImportSystem) throws(ImportError) -> JSONValue {
        do throws(JSONParsingError) {
            return try JSONValue(parsing: bytes)
        } catch {
            if let form = form(of: bytes) { throw .unreadable([ImportProblem(.root, form)]) }
            // flagd reads YAML too. JSON with a mistake is not taken for it.
            guard system == .flagd, let first = bytes.first(where: { $0 > 0x20 }), first != UInt8(ascii: "{") else {
                throw .notJSON(error)
            }
            let tree = SourceTree(bytes, file: "payload", maximumBytes: .max)
            guard let root = tree.root, tree.problems.isEmpty else { throw .refused(tree.problems) }
            return root.json
        }
    }

    private static func form(of bytes: [UInt8]) -> String? {
        if let name = compressions.first(where: { bytes.starts(with: $0.start) })?.name {
            return "the payload is compressed with \(name); decompress it first"
        }
        let isWide = bytes.count >= 2 && (bytes[0] == 0) != (bytes[1] == 0)
        if isWide || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return "the payload is in UTF-16; save it as UTF-8"
        }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) || bytes.starts(with: [0, 0, 0]) {
            return "the payload is in UTF-32; save it as UTF-8"
        }
        let start = bytes.prefix(1024).drop { $0 <= 0x20 || $0 >= 0x80 }
        if start.first == UInt8(ascii: "<") {
            return "the payload is an HTML or XML page, perhaps of an error or a login; download it with its key"
        }
        if ["event:", "data: {", "data:{"].contains(where: { start.starts(with: $0.utf8) }) {
            return "the payload is a stream of server-sent events; download it from the address that answers with JSON"
        }
        return nil
    }

    private static let compressions: [(start: [UInt8], name: String)] = [
        ([0x1F, 0x8B], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"), ([0x50, 0x4B, 3, 4], "zip"),
        ([0x42, 0x5A, 0x68], "bzip2"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz"), ([0x78, 0x9C], "zlib"),
    ]
}
