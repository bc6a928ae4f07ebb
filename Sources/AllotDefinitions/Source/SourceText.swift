/// The bytes of one file, known to be UTF-8 and not too large, without the byte order mark. `Sendable`.
///
/// JSON and YAML files both start here.
package struct SourceText: Sendable {
    /// The largest file that is read, in bytes, unless the caller says otherwise: 16 MiB.
    package static let maximumBytes = 16 << 20

    /// The text in UTF-8, without a byte order mark at its start.
    package let bytes: [UInt8]

    /// Checks size and encoding, or returns nil and adds the problem.
    ///
    /// - Parameters:
    ///   - bytes: The file as it is on disk.
    ///   - maximumBytes: The size up to which a file is read.
    ///   - problems: Gets at most one problem: the file's size, its UTF-16 or UTF-32 byte order mark, or its first
    ///     byte that is not UTF-8.
    package init?(_ bytes: [UInt8], maximumBytes: Int = Self.maximumBytes, problems: inout ProblemList) {
        guard bytes.count <= maximumBytes else {
            problems.addError(
                "the file has \(bytes.count) bytes, and at most \(maximumBytes) are read; split it or make it smaller",
                at: nil)
            return nil
        }
        let start = SourcePosition(line: 1, column: 1)
        if let encoding = Self.foreignEncoding(bytes) {
            problems.addError("the file is in \(encoding); save it as UTF-8", at: start)
            return nil
        }
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        do {
            _ = try UTF8Span(validating: self.bytes.span)
        } catch {
            let offset = error.byteOffsets.lowerBound
            let byte = String(self.bytes[offset], radix: 16, uppercase: true)
            problems.addError("byte 0x\(byte) is not UTF-8; save the file as UTF-8", at: position(at: offset))
            return nil
        }
    }

    /// The encoding that a byte order mark of UTF-16 or UTF-32 announces.
    private static func foreignEncoding(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
        return bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) ? "UTF-16" : nil
    }
}

extension SourceText {
    /// The position of the scalar that starts at a byte. Complexity: O(offset), so only for messages.
    package func position(at offset: Int) -> SourcePosition {
        var line = 1
        var column = 1
        for index in 0..<offset {
            if isLineEnd(at: index) {
                (line, column) = (line + 1, 1)
            } else if bytes[index] != UInt8(ascii: "\r"), !Self.isContinuation(bytes[index]) {
                column += 1
            }
        }
        return SourcePosition(line: line, column: column)
    }

    /// The byte at which the scalar at a position starts; the end of the line or of the text when there is no such
    /// scalar. Complexity: O(size of the text), so only for messages.
    package func offset(of position: SourcePosition) -> Int {
        var line = 1
        var offset = 0
        while line < position.line, offset < bytes.count {
            if isLineEnd(at: offset) { line += 1 }
            offset += 1
        }
        var column = 1
        while column < position.column, offset < bytes.count, !isBreak(at: offset) {
            offset += 1
            while offset < bytes.count, Self.isContinuation(bytes[offset]) { offset += 1 }
            column += 1
        }
        return offset
    }

    /// Whether a byte is the last one of a line: LF, or CR without LF.
    private func isLineEnd(at offset: Int) -> Bool {
        switch bytes[offset] {
        case UInt8(ascii: "\n"): true
        case UInt8(ascii: "\r"): offset + 1 == bytes.count || bytes[offset + 1] != UInt8(ascii: "\n")
        default: false
        }
    }

    private func isBreak(at offset: Int) -> Bool {
        bytes[offset] == UInt8(ascii: "\n") || bytes[offset] == UInt8(ascii: "\r")
    }

    /// Whether a byte continues a scalar of UTF-8.
    package static func isContinuation(_ byte: UInt8) -> Bool {
        byte & 0xC0 == 0x80
    }
}
