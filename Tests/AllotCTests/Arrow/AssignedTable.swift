import CAllot

/// What the library gave out, which is released with this object.
final class AssignedTable {
    var schema = ArrowSchema()
    var array = ArrowArray()

    deinit {
        if let release = schema.release { release(&schema) }
        if let release = array.release { release(&array) }
    }

    var rowCount: Int { Int(array.length) }

    private(set) lazy var names = (0..<Int(schema.n_children)).compactMap { index in
        (schema.children[index]?.pointee.name).map { String(cString: $0) }
    }

    /// A column as texts; numbers have their digits. Returns `nil` if there is no such column.
    func column(_ name: String) -> [String?]? {
        guard let index = names.firstIndex(of: name), let schema = schema.children[index],
            let array = array.children[index]
        else { return nil }
        return Self.texts(schema.pointee, array.pointee)
    }

    static func texts(_ schema: ArrowSchema, _ array: ArrowArray) -> [String?] {
        let values = schema.dictionary.map { texts($0.pointee, array.dictionary.pointee) }
        return (0..<Int(array.length)).map { row in
            let position = Int(array.offset) + row
            if let validity = array.buffers[0] {
                let byte = validity.load(fromByteOffset: position / 8, as: UInt8.self)
                if byte >> UInt8(position % 8) & 1 == 0 { return nil }
            }
            guard let buffer = array.buffers[1] else { return nil }
            func text<Offset: FixedWidthInteger>(_ type: Offset.Type) -> String {
                let offsets = buffer.assumingMemoryBound(to: type)
                let (start, end) = (Int(offsets[position]), Int(offsets[position + 1]))
                guard let bytes = array.buffers[2] else { return "" }
                return String(decoding: UnsafeRawBufferPointer(start: bytes + start, count: end - start), as: UTF8.self)
            }
            switch String(cString: schema.format) {
            case "i":
                let index = Int(buffer.assumingMemoryBound(to: Int32.self)[position])
                return values?[index]
            case "l": return String(buffer.assumingMemoryBound(to: Int64.self)[position])
            case "u": return text(Int32.self)
            case "U": return text(Int64.self)
            default: return nil
            }
        }
    }

    /// The metadata of the schema.
    var metadata: [String: String] {
        guard let start = schema.metadata.map({ UnsafeRawPointer($0) }) else { return [:] }
        var position = 0
        func number() -> Int {
            defer { position += 4 }
            return Int(start.loadUnaligned(fromByteOffset: position, as: Int32.self))
        }
        func text() -> String {
            let count = number()
            defer { position += count }
            return String(decoding: UnsafeRawBufferPointer(start: start + position, count: count), as: UTF8.self)
        }
        var metadata: [String: String] = [:]
        for _ in 0..<number() {
            let key = text()
            metadata[key] = text()
        }
        return metadata
    }

    /// All columns as text, for comparisons.
    var cells: [String] {
        let columns = names.map { ($0, column($0) ?? []) }
        return columns.map { name, values in
            "\(name): " + values.map { $0.map { "\"\($0)\"" } ?? "null" }.joined(separator: " ")
        }
    }
}
