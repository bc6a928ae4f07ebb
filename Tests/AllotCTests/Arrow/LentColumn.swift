import CAllot

/// A column or table in memory as the C Data Interface has it, lent to the library.
///
/// Buffers have exactly the bytes that they were given, so that the address sanitizer finds what is read beyond them.
final class LentColumn {
    let schema = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
    let array = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
    let children: [LentColumn]
    let dictionary: LentColumn?
    /// How often each of the structures was released.
    private(set) var schemaReleases = 0
    private(set) var arrayReleases = 0
    private let format: UnsafeMutablePointer<CChar>
    private let name: UnsafeMutablePointer<CChar>
    private let metadata: UnsafeMutablePointer<CChar>?
    private let buffers: UnsafeMutablePointer<UnsafeRawPointer?>
    /// The memory of the buffers.
    private let blocks: [UnsafeMutableRawPointer]
    private let childSchemas: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>
    private let childArrays: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>

    /// - Parameter misalignment: how many bytes after a multiple of 16 each buffer begins.
    init(_ column: ArrowColumn, misalignment: Int = 0) {
        children = column.children.map { LentColumn($0, misalignment: misalignment) }
        dictionary = column.dictionary.first.map { LentColumn($0, misalignment: misalignment) }
        format = Self.text(column.format)
        name = Self.text(column.name)
        metadata = column.extensionName.map(Self.metadata)
        buffers = .allocate(capacity: max(column.buffers.count, 1))
        for (index, bytes) in column.buffers.enumerated() {
            (buffers + index).initialize(to: bytes.map { Self.buffer($0, misalignment) })
        }
        (childSchemas, childArrays) = (.allocate(capacity: children.count), .allocate(capacity: children.count))
        for (index, child) in children.enumerated() {
            (childSchemas + index).initialize(to: child.schema)
            (childArrays + index).initialize(to: child.array)
        }
        let blocks = UnsafeBufferPointer(start: buffers, count: column.buffers.count)
        self.blocks = blocks.compactMap { $0.map { UnsafeMutableRawPointer(mutating: $0) - misalignment } }
        let owner = Unmanaged.passUnretained(self).toOpaque()
        schema.initialize(
            to: ArrowSchema(
                format: format, name: name, metadata: metadata, flags: Int64(ARROW_FLAG_NULLABLE),
                n_children: Int64(children.count), children: children.isEmpty ? nil : childSchemas,
                dictionary: dictionary?.schema,
                release: { schema in
                    guard let schema, let owner = schema.pointee.private_data else { return }
                    Unmanaged<LentColumn>.fromOpaque(owner).takeUnretainedValue().schemaReleases += 1
                    schema.pointee.release = nil
                }, private_data: owner))
        array.initialize(
            to: ArrowArray(
                length: Int64(column.length), null_count: Int64(column.nullCount), offset: Int64(column.offset),
                n_buffers: Int64(column.buffers.count), n_children: Int64(children.count),
                buffers: column.buffers.isEmpty ? nil : buffers, children: children.isEmpty ? nil : childArrays,
                dictionary: dictionary?.array,
                release: { array in
                    guard let array, let owner = array.pointee.private_data else { return }
                    Unmanaged<LentColumn>.fromOpaque(owner).takeUnretainedValue().arrayReleases += 1
                    array.pointee.release = nil
                }, private_data: owner))
    }

    deinit {
        for block in blocks { block.deallocate() }
        schema.deallocate()
        array.deallocate()
        format.deallocate()
        name.deallocate()
        metadata?.deallocate()
        buffers.deallocate()
        childSchemas.deallocate()
        childArrays.deallocate()
    }

    /// Metadata with another pair before that of the extension.
    private static func metadata(_ extensionName: String) -> UnsafeMutablePointer<CChar> {
        var bytes = ArrowColumn.bytes([Int32(2)])
        for text in ["a key", "ü", "ARROW:extension:name", extensionName] {
            bytes += ArrowColumn.bytes([Int32(text.utf8.count)]) + Array(text.utf8)
        }
        return memory(bytes)
    }

    static func text(_ text: String) -> UnsafeMutablePointer<CChar> { memory(Array(text.utf8) + [0]) }

    private static func memory(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: CChar(bitPattern: byte)) }
        return copy
    }

    private static func buffer(_ bytes: [UInt8], _ misalignment: Int) -> UnsafeRawPointer {
        let block = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + misalignment, alignment: 16)
        bytes.withUnsafeBytes { source in
            if let base = source.baseAddress { (block + misalignment).copyMemory(from: base, byteCount: bytes.count) }
        }
        return UnsafeRawPointer(block + misalignment)
    }
}
