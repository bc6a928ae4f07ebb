/// Pairs of texts as the metadata of a schema: their number, then lengths, of 32 bits in native order, and bytes.
enum ArrowMetadata {
    static let extensionName = "ARROW:extension:name"

    /// The pairs in memory that the caller deallocates.
    static func encode(_ pairs: [(key: String, value: String)]) -> UnsafeMutablePointer<CChar> {
        var bytes: [UInt8] = []
        func append(_ number: Int) { withUnsafeBytes(of: Int32(number)) { bytes.append(contentsOf: $0) } }
        append(pairs.count)
        for (key, value) in pairs {
            append(key.utf8.count)
            bytes.append(contentsOf: key.utf8)
            append(value.utf8.count)
            bytes.append(contentsOf: value.utf8)
        }
        return bytes.copyForC()
    }

    /// The value of a key; `nil` if there is none. The caller guarantees that the metadata are complete, and says with
    /// which error to refuse a negative number.
    static func value(
        of key: String, in metadata: UnsafePointer<CChar>, _ negative: @autoclosure () -> InterfaceError
    ) throws -> String? {
        var next = UnsafeRawPointer(metadata)
        func number() throws -> Int {
            let number = next.loadUnaligned(as: Int32.self)
            guard number >= 0 else { throw negative() }
            next += MemoryLayout<Int32>.size
            return Int(number)
        }
        func text() throws -> UnsafeRawBufferPointer {
            let count = try number()
            defer { next += count }
            return UnsafeRawBufferPointer(start: next, count: count)
        }
        for _ in 0..<(try number()) {
            let (found, value) = (try text(), try text())
            if found.elementsEqual(key.utf8) { return String(decoding: value, as: UTF8.self) }
        }
        return nil
    }
}
