import AllotFiles
import CAllot

/// Memory of an array that a consumer will own, at an address as Arrow recommends it. Zero at first.
final class OutputBuffer: Sendable {
    /// Where it is, for loops in which counting references would take time.
    struct Memory: Sendable {
        /// As a number, because threads fill parts of it.
        fileprivate let address: UInt

        var start: UnsafeMutableRawPointer {
            guard let memory = UnsafeMutableRawPointer(bitPattern: address) else {
                preconditionFailure("memory is not at 0")
            }
            return memory
        }

        @inline(__always)
        func values<Value: BitwiseCopyable>(of type: Value.Type = Value.self) -> UnsafeMutablePointer<Value> {
            start.assumingMemoryBound(to: type)
        }
    }

    let memory: Memory

    /// Throws if there is not that much memory.
    init(byteCount: Int) throws {
        let (alignment, size) = (64, (max(byteCount, 1) + 63) / 64 * 64)
        guard let memory = aligned_alloc(alignment, size) else {
            throw InterfaceError.data("out of memory: the output needs \(byteCount) bytes more; use smaller batches")
        }
        memset(memory, 0, size)
        self.memory = Memory(address: UInt(bitPattern: memory))
    }

    var start: UnsafeMutableRawPointer { memory.start }

    convenience init<Value: BitwiseCopyable>(_ values: [Value]) throws {
        try self.init(byteCount: values.count * MemoryLayout<Value>.stride)
        values.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { start.copyMemory(from: base, byteCount: bytes.count) }
        }
    }

    func values<Value: BitwiseCopyable>(of type: Value.Type = Value.self) -> UnsafeMutablePointer<Value> {
        memory.values(of: type)
    }

    deinit { free(start) }
}

/// An array that is given to a consumer, and its children. The consumer releases it.
struct ExportedArray {
    let length: Int
    let nullCount: Int
    let buffers: [OutputBuffer?]
    var children: [ExportedArray] = []
    /// One of the values, for an array with a dictionary.
    var values: [ExportedArray] = []

    /// Texts with offsets of 32 bits, of few and short ones.
    init(texts: [String]) throws {
        var (offsets, bytes): ([Int32], [UInt8]) = ([0], [])
        for text in texts {
            bytes.append(contentsOf: text.utf8)
            offsets.append(Int32(bytes.count))
        }
        self.init(
            length: texts.count, nullCount: 0, buffers: [nil, try OutputBuffer(offsets), try OutputBuffer(bytes)])
    }

    init(length: Int, nullCount: Int, buffers: [OutputBuffer?]) {
        (self.length, self.nullCount, self.buffers) = (length, nullCount, buffers)
    }

    /// Indices into a dictionary, or plain texts one by one.
    init(
        length: Int, nullCount: Int, validity: OutputBuffer?, indices: OutputBuffer, into texts: [String], isPlain: Bool
    ) throws {
        let validity = nullCount > 0 ? validity : nil
        guard !isPlain else {
            let (offsets, bytes) = try ExportedArray.texts(
                indices.values(of: Int32.self), count: length, validity?.values(of: UInt8.self), of: texts)
            self.init(length: length, nullCount: nullCount, buffers: [validity, offsets, bytes])
            return
        }
        self.init(length: length, nullCount: nullCount, buffers: [validity, indices])
        values = [try ExportedArray(texts: texts)]
    }

    /// The offsets and the bytes of texts that are given by their indices.
    private static func texts(
        _ indices: UnsafePointer<Int32>, count: Int, _ validity: UnsafePointer<UInt8>?, of texts: [String]
    ) throws -> (offsets: OutputBuffer, bytes: OutputBuffer) {
        // Short texts are copied as the 16 bytes that they begin with; what is too much is written over by the next.
        let width = 16
        var (starts, lengths, content): ([Int], [Int32], [UInt8]) = ([], [], [])
        for text in texts {
            starts.append(content.count)
            lengths.append(Int32(text.utf8.count))
            content.append(contentsOf: text.utf8)
        }
        content.append(contentsOf: repeatElement(0, count: width))
        let offsets = try OutputBuffer(byteCount: (count + 1) * 4)
        let ends = offsets.values(of: Int32.self)
        var end = 0
        lengths.withUnsafeBufferPointer { lengths in
            for row in 0..<count {
                let isValid = validity.map { $0[row &>> 3] &>> UInt8(row & 7) & 1 != 0 } ?? true
                end &+= isValid ? Int(lengths[Int(indices[row])]) : 0
                ends[row &+ 1] = Int32(truncatingIfNeeded: end)
            }
        }
        guard end <= Int(Int32.max) else {
            throw InterfaceError.data("the texts of a column take \(end) bytes; use smaller batches")
        }
        let bytes = try OutputBuffer(byteCount: end + width)
        let target = bytes.start
        starts.withUnsafeBufferPointer { starts in
            content.withUnsafeBytes { content in
                guard let source = content.baseAddress else { return }
                for row in 0..<count {
                    let (start, end) = (Int(ends[row]), Int(ends[row &+ 1]))
                    guard end > start else { continue }
                    let text = source + starts[Int(indices[row])]
                    if end &- start <= width {
                        (target + start).storeBytes(
                            of: text.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
                    } else {
                        (target + start).copyMemory(from: text, byteCount: end &- start)
                    }
                }
            }
        }
        return (offsets, bytes)
    }

    init(table children: [ExportedArray], length: Int) {
        self.init(length: length, nullCount: 0, buffers: [nil])
        self.children = children
    }

    /// Writes the structure over what is there.
    func export(to array: UnsafeMutablePointer<ArrowArray>) {
        let owner = ArrayOwner(self)
        array.initialize(
            to: ArrowArray(
                length: Int64(length), null_count: Int64(nullCount), offset: 0, n_buffers: Int64(buffers.count),
                n_children: Int64(children.count), buffers: owner.pointers,
                children: owner.parts.children, dictionary: owner.parts.dictionary,
                release: { array in
                    guard let array, array.pointee.release != nil, let owner = array.pointee.private_data else {
                        return
                    }
                    // Those that the consumer has moved elsewhere are marked as released.
                    for index in 0..<Int(array.pointee.n_children) { array.pointee.children[index]?.release() }
                    array.pointee.dictionary?.release()
                    array.pointee.release = nil
                    Unmanaged<ArrayOwner>.fromOpaque(owner).release()
                }, private_data: Unmanaged.passRetained(owner).toOpaque()))
    }
}

/// The memory of an array, apart from what its children own.
private final class ArrayOwner {
    private let buffers: [OutputBuffer?]
    let pointers: UnsafeMutablePointer<UnsafeRawPointer?>
    let parts: PartMemory<ArrowArray>

    init(_ array: ExportedArray) {
        buffers = array.buffers
        pointers = .allocate(capacity: max(buffers.count, 1))
        for (index, buffer) in buffers.enumerated() {
            (pointers + index).initialize(to: buffer.map { UnsafeRawPointer($0.start) })
        }
        parts = PartMemory(array.children, dictionary: array.values.first) { $0.export(to: $1) }
    }

    deinit { pointers.deallocate() }
}

/// The memory of a structure's children and of its dictionary, whose contents the structure releases.
final class PartMemory<Structure> {
    let children: UnsafeMutablePointer<UnsafeMutablePointer<Structure>?>?
    let dictionary: UnsafeMutablePointer<Structure>?
    private let count: Int

    init<Part>(_ parts: [Part], dictionary values: Part?, _ export: (Part, UnsafeMutablePointer<Structure>) -> Void) {
        func exported(_ part: Part) -> UnsafeMutablePointer<Structure> {
            let pointer = UnsafeMutablePointer<Structure>.allocate(capacity: 1)
            export(part, pointer)
            return pointer
        }
        count = parts.count
        children = parts.isEmpty ? nil : .allocate(capacity: count)
        for (index, part) in parts.enumerated() { children?.advanced(by: index).initialize(to: exported(part)) }
        dictionary = values.map(exported)
    }

    deinit {
        for index in 0..<count { children?[index]?.deallocate() }
        children?.deallocate()
        dictionary?.deallocate()
    }
}

extension UnsafeMutablePointer<ArrowArray> {
    func release() { pointee.release?(self) }
}

/// A type that is given to a consumer, and its children. The consumer releases it.
struct ExportedSchema: Sendable {
    fileprivate let format: String
    let name: String
    private let isNullable: Bool
    fileprivate private(set) var children: [ExportedSchema] = []
    /// One of the values, for an array with a dictionary.
    fileprivate private(set) var values: [ExportedSchema] = []
    fileprivate private(set) var metadata: [(key: String, value: String)] = []

    init(_ format: String, name: String, isNullable: Bool) {
        (self.format, self.name, self.isNullable) = (format, name, isNullable)
    }

    /// A column of texts, as indices of 32 bits into a dictionary, or plain texts one by one.
    init(dictionaryNamed name: String, isNullable: Bool, isPlain: Bool) {
        self.init(isPlain ? "u" : "i", name: name, isNullable: isNullable)
        if !isPlain { values = [ExportedSchema("u", name: "", isNullable: false)] }
    }

    init(table children: [ExportedSchema], metadata: [(key: String, value: String)]) {
        self.init("+s", name: "", isNullable: false)
        (self.children, self.metadata) = (children, metadata)
    }

    /// Writes the structure over what is there.
    func export(to schema: UnsafeMutablePointer<ArrowSchema>) {
        let owner = SchemaOwner(self)
        schema.initialize(
            to: ArrowSchema(
                format: owner.format, name: owner.name, metadata: owner.metadata.map { UnsafePointer($0) },
                flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: Int64(children.count),
                children: owner.parts.children, dictionary: owner.parts.dictionary,
                release: { schema in
                    guard let schema, schema.pointee.release != nil, let owner = schema.pointee.private_data else {
                        return
                    }
                    for index in 0..<Int(schema.pointee.n_children) { schema.pointee.children[index]?.release() }
                    schema.pointee.dictionary?.release()
                    schema.pointee.release = nil
                    Unmanaged<SchemaOwner>.fromOpaque(owner).release()
                }, private_data: Unmanaged.passRetained(owner).toOpaque()))
    }
}

/// The memory of a schema, apart from what its children own.
private final class SchemaOwner {
    let format: UnsafeMutablePointer<CChar>
    let name: UnsafeMutablePointer<CChar>
    let metadata: UnsafeMutablePointer<CChar>?
    let parts: PartMemory<ArrowSchema>

    init(_ schema: ExportedSchema) {
        (format, name) = (schema.format.copyForC(), schema.name.copyForC())
        metadata = schema.metadata.isEmpty ? nil : ArrowMetadata.encode(schema.metadata)
        parts = PartMemory(schema.children, dictionary: schema.values.first) { $0.export(to: $1) }
    }

    deinit {
        format.deallocate()
        name.deallocate()
        metadata?.deallocate()
    }
}

extension UnsafeMutablePointer<ArrowSchema> {
    func release() { pointee.release?(self) }
}
