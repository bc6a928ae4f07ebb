import CAllot

/// An array of single values whose structure has been checked. Their buffers are the caller's, and there are no
/// references of its own, so that threads do not wait for each other's counts.
struct ScalarArray {
    let kind: ScalarKind
    /// The index of the first value in the buffers.
    let offset: Int
    let length: Int
    private(set) var validity: UnsafeRawPointer?
    /// The values, offsets of texts, or views.
    private(set) var values: UnsafeRawPointer?
    private(set) var texts: UnsafeRawPointer?
    /// The buffers of views, and their sizes.
    private(set) var viewBuffers: UnsafePointer<UnsafeRawPointer?>?
    private(set) var viewSizes: UnsafeRawPointer?
    private(set) var viewBufferCount = 0

    init(_ structure: ArrowStructure, _ kind: ScalarKind) throws {
        try structure.check(buffers: kind.bufferCount)
        guard structure.schema.n_children == 0 else { throw structure.error("\(kind.name) has children") }
        self.kind = kind
        (offset, length) = (structure.offset, structure.length)
        guard kind != .null, let array = structure.array else { return }
        guard kind != .textView || (3...Int64(Int32.max)).contains(array.n_buffers) else {
            throw structure.error("utf8_view has \(array.n_buffers) buffers")
        }
        validity = try structure.validity()
        values = try structure.buffer(1)
        texts = kind.bufferCount == 3 ? UnsafeRawPointer(array.buffers[2]) : nil
        guard kind == .textView else { return }
        viewBufferCount = Int(array.n_buffers) - 3
        let sizes = array.buffers[Int(array.n_buffers) - 1]
        guard viewBufferCount == 0 || sizes != nil else { throw structure.error("the sizes of the buffers are NULL") }
        viewSizes = UnsafeRawPointer(sizes)
        viewBuffers = UnsafePointer(OpaquePointer(array.buffers + 2))
    }

    @inline(__always)
    func isValid(_ index: Int) -> Bool { validity?.bit(offset &+ index) ?? true }

    /// A value of the buffer, which may be at any address.
    @inline(__always)
    func load<Value: BitwiseCopyable>(_ index: Int, as type: Value.Type) -> Value? {
        values?.loadUnaligned(fromByteOffset: (offset &+ index) &* MemoryLayout<Value>.size, as: type)
    }

    /// A whole number. Returns `nil` for other types.
    @inline(__always)
    func integer(_ index: Int) -> WholeNumber? {
        switch kind {
        case .int8: load(index, as: Int8.self).map { WholeNumber(Int64($0)) }
        case .uint8: load(index, as: UInt8.self).map { WholeNumber(Int64($0)) }
        case .int16: load(index, as: Int16.self).map { WholeNumber(Int64($0)) }
        case .uint16: load(index, as: UInt16.self).map { WholeNumber(Int64($0)) }
        case .int32: load(index, as: Int32.self).map { WholeNumber(Int64($0)) }
        case .uint32: load(index, as: UInt32.self).map { WholeNumber(Int64($0)) }
        case .int64: load(index, as: Int64.self).map { WholeNumber($0) }
        case .uint64: load(index, as: UInt64.self).map { WholeNumber(magnitude: $0, isNegative: false) }
        default: nil
        }
    }
}

extension UnsafeRawPointer {
    @inline(__always)
    func bit(_ position: Int) -> Bool {
        load(fromByteOffset: position &>> 3, as: UInt8.self) &>> UInt8(position & 7) & 1 != 0
    }
}

/// A whole number of any of Arrow's integer types.
struct WholeNumber {
    let magnitude: UInt64
    let isNegative: Bool

    @inline(__always)
    init(_ value: Int64) { (magnitude, isNegative) = (value.magnitude, value < 0) }
    @inline(__always)
    init(magnitude: UInt64, isNegative: Bool) { (self.magnitude, self.isNegative) = (magnitude, isNegative) }
    @inline(__always)
    var double: Double { isNegative ? -Double(magnitude) : Double(magnitude) }

    /// As an index below `count`. Returns `nil` if it is not one.
    @inline(__always)
    func index(below count: Int) -> Int? {
        (isNegative && magnitude > 0) || magnitude >= UInt64(count) ? nil : Int(magnitude)
    }
}
