import CAllot
import SystemLibrary

/// Memory of an array that a consumer will own, at an address as Arrow recommends it. Zero at first.
final class OutputBuffer: Sendable {
    /// As a number, because threads fill parts of it.
    private let address: UInt

    /// Throws if there is not that much memory.
    init(byteCount: Int) throws {
        let (alignment, size) = (64, (max(byteCount, 1) + 63) / 64 * 64)
        guard let memory = aligned_alloc(alignment, size) else {
            throw InterfaceError.data("out of memory: the output needs \(byteCount) bytes more; use smaller batches")
        }
        memset(memory, 0, size)
        address = UInt(bitPattern: memory)
    }

    var start: UnsafeMutableRawPointer {
        guard let memory = UnsafeMutableRawPointer(bitPattern: address) else {
            preconditionFailure("memory is not at 0")
        }
        return memory
    }

    /// A copy of values.
    convenience init<Value: BitwiseCopyable>(_ values: [Value]) throws {
        try self.init(byteCount: values.count * MemoryLayout<Value>.stride)
        values.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { start.copyMemory(from: base, byteCount: bytes.count) }
        }
    }

    /// The memory as values.
    func values<Value: BitwiseCopyable>(of type: Value.Type = Value.self) -> UnsafeMutablePointer<Value> {
        start.assumingMemoryBound(to: type)
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

    /// Indices into a dictionary.
    init(length: Int, nullCount: Int, validity: OutputBuffer?, indices: OutputBuffer, into texts: [String]) throws {
        self.init(length: length, nullCount: nullCount, buffers: [nullCount > 0 ? validity : nil, indices])
        values = [try ExportedArray(texts: texts)]
    }

    /// A table.
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
                n_children: Int64(children.count), buffers: owner.pointers, children: owner.children,
                dictionary: owner.dictionary,
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
    let children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>?
    let dictionary: UnsafeMutablePointer<ArrowArray>?
    private let childCount: Int

    init(_ array: ExportedArray) {
        buffers = array.buffers
        pointers = .allocate(capacity: max(buffers.count, 1))
        for (index, buffer) in buffers.enumerated() {
            (pointers + index).initialize(to: buffer.map { UnsafeRawPointer($0.start) })
        }
        childCount = array.children.count
        children = array.children.isEmpty ? nil : .allocate(capacity: childCount)
        for (index, child) in array.children.enumerated() {
            let pointer = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
            child.export(to: pointer)
            children?.advanced(by: index).initialize(to: pointer)
        }
        dictionary = array.values.isEmpty ? nil : .allocate(capacity: 1)
        if let dictionary, let first = array.values.first { first.export(to: dictionary) }
    }

    deinit {
        pointers.deallocate()
        for index in 0..<childCount { children?[index]?.deallocate() }
        children?.deallocate()
        dictionary?.deallocate()
    }
}

extension UnsafeMutablePointer<ArrowArray> {
    /// Releases what the structure owns, unless it is released.
    func release() { pointee.release?(self) }
}
