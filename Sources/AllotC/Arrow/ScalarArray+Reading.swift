import AllotConfiguration
@_spi(Groups) import AllotCore

/// The fault of a value that cannot be read, and its fix.
struct ValueFault: Error {
    let message: String

    private init(_ message: String) { self.message = message }

    static let utf8 = ValueFault("the text is not valid UTF-8; decode it before")
    static let offsets = ValueFault("malformed Arrow data: its offsets decrease or are negative")
    static let views = ValueFault("malformed Arrow data: its view is not within the buffers")
    static let missingBuffer = ValueFault("malformed Arrow data: the buffer of texts is NULL")
    static let dictionaryIndex = ValueFault("malformed Arrow data: its index is not one of the dictionary")
    static let listBounds = ValueFault("malformed Arrow data: the list is not within its elements")
    static let listLength = ValueFault(
        "the list has more than \(TableGroup.elementLimit) elements, or more than 32 MiB of text; shorten it")
    static let instant = ValueFault("the instant is not within the years 0 to 9999; make it null")
    static let noInstant = ValueFault("there is no instant of evaluation; fill it, or leave the row out")

    static func notAnInstant(fault: String) -> ValueFault { ValueFault("the text \(fault)") }
}

extension ScalarArray {
    /// The value at an index as evaluation reads it, with what it refers to added to `bytes`. Elements of lists are
    /// typed, as in JSON, because CSV has no lists. Other values are read as CSV fields, whose type the literal
    /// decides, except floating-point numbers, which have several forms as text.
    func value(_ index: Int, isTyped: Bool, _ bytes: inout ByteStore) throws(ValueFault) -> AttributeValue {
        guard kind != .null, isValid(index) else { return .missing }
        switch kind {
        case .text32, .text64, .textView:
            guard let (start, count) = try text(index) else {
                return isTyped ? AttributeValue(.text, start: bytes.count, length: 0) : .missing
            }
            let place = bytes.append(start, count)
            guard bytes.isUTF8(place, count) else { throw .utf8 }
            return AttributeValue(isTyped ? .text : .untyped, start: place, length: count)
        case .boolean:
            let position = offset &+ index
            return values.map { Self.boolean($0.bit(position), isTyped, &bytes) } ?? .missing
        case .bool8:
            guard let number = load(index, as: Int8.self) else { return .missing }
            return Self.boolean(number != 0, isTyped, &bytes)
        case .uuid:
            guard let values else { return .missing }
            return Self.added(isTyped, &bytes) { $0.append(uuid: values + (offset &+ index) &* 16) }
        case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64:
            guard let number = integer(index) else { return .missing }
            guard !isTyped else { return AttributeValue(.number, number: number.double) }
            return Self.added(false, &bytes) { $0.append(number) }
        case .float16: return Self.number(load(index, as: Float16.self).map(Self.shortest))
        case .float32: return Self.number(load(index, as: Float.self).map(Self.shortest))
        case .float64: return Self.number(load(index, as: Double.self))
        case .decimal(let width, let scale):
            guard let values else { return .missing }
            let number = DecimalText(values + (offset &+ index) &* width, width: width, scale: scale)
            return Self.added(isTyped, &bytes) { number.append(to: &$0) }
        case .date32, .date64, .timestamp:
            guard let instant = try storedInstant(index) else { return .missing }
            return Self.added(isTyped, &bytes) { $0.append(instant) }
        case .null: return .missing
        }
    }

    private static func boolean(_ isTrue: Bool, _ isTyped: Bool, _ bytes: inout ByteStore) -> AttributeValue {
        isTyped ? AttributeValue(.boolean, length: isTrue ? 1 : 0) : added(false, &bytes) { $0.append(isTrue) }
    }

    /// The text that `append` adds.
    @inline(__always)
    private static func added(
        _ isTyped: Bool, _ bytes: inout ByteStore, _ append: (inout ByteStore) -> Void
    ) -> AttributeValue {
        let start = bytes.count
        append(&bytes)
        return AttributeValue(isTyped ? .text : .untyped, start: start, length: bytes.count &- start)
    }

    /// The number that the shortest digits of a short one say, as in CSV: 0.1 and not 0.10000000149.
    private static func shortest<Number: BinaryFloatingPoint & CustomStringConvertible>(_ number: Number) -> Double {
        let double = Double(number)
        // Whole numbers are exact as long as they have all their digits.
        guard number.isFinite, double.magnitude >= 2048 || double != double.rounded(.towardZero) else { return double }
        return Double(number.description) ?? double
    }

    /// A number; one that is not a number is missing, as it is in data frames.
    @inline(__always)
    private static func number(_ number: Double?) -> AttributeValue {
        guard let number, !number.isNaN else { return .missing }
        return AttributeValue(.number, number: number)
    }

    /// The instant of evaluation at an index.
    func instant(_ index: Int) throws(ValueFault) -> Instant {
        guard kind != .null, isValid(index) else { throw .noInstant }
        guard kind.isText else {
            guard let instant = try storedInstant(index) else { throw .noInstant }
            return instant
        }
        guard let (start, count) = try text(index) else { throw .noInstant }
        let bytes = UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
        guard let instant = Instant(utf8: bytes.span), Instant.writable.contains(instant) else {
            throw .notAnInstant(fault: Instant.fault(of: String(decoding: bytes, as: UTF8.self)))
        }
        return instant
    }

    /// The instant of a date, its midnight in UTC, or of a timestamp. One without a time zone is taken as UTC.
    private func storedInstant(_ index: Int) throws(ValueFault) -> Instant? {
        var seconds: Int64
        var nanoseconds: Int32 = 0
        switch kind {
        case .date32:
            guard let days = load(index, as: Int32.self) else { return nil }
            seconds = Int64(days) * 86_400
        case .date64:
            guard let milliseconds = load(index, as: Int64.self) else { return nil }
            seconds = milliseconds.flooredQuotientAndRemainder(dividingBy: 1000).quotient
        case .timestamp(let unitsPerSecond):
            guard let count = load(index, as: Int64.self) else { return nil }
            let (quotient, rest) = count.flooredQuotientAndRemainder(dividingBy: unitsPerSecond)
            (seconds, nanoseconds) = (quotient, Int32(rest * (1_000_000_000 / unitsPerSecond)))
        default: return nil
        }
        let instant = Instant(seconds: seconds, nanoseconds: nanoseconds)
        guard Instant.writable.contains(instant) else { throw .instant }
        return instant
    }

    /// The bytes of a text. Returns `nil` for an empty one.
    @inline(__always)
    private func text(_ index: Int) throws(ValueFault) -> (start: UnsafeRawPointer, count: Int)? {
        let (start, end): (Int, Int)
        switch kind {
        case .text32: (start, end) = try offsets(index, as: Int32.self)
        case .text64: (start, end) = try offsets(index, as: Int64.self)
        default: return try view(index)
        }
        guard start >= 0, end >= start else { throw .offsets }
        if start == end { return nil }
        guard let texts else { throw .missingBuffer }
        return (texts + start, end &- start)
    }

    @inline(__always)
    private func offsets<Offset: FixedWidthInteger & BitwiseCopyable>(
        _ index: Int, as type: Offset.Type
    ) throws(ValueFault) -> (start: Int, end: Int) {
        guard let start = load(index, as: type), let end = load(index &+ 1, as: type) else { throw .missingBuffer }
        return (Int(start), Int(end))
    }

    /// The bytes of a text that is a view: up to 12 are in it, others are in a buffer.
    private func view(_ index: Int) throws(ValueFault) -> (start: UnsafeRawPointer, count: Int)? {
        guard let values else { throw .missingBuffer }
        let view = values + (offset &+ index) &* 16
        let count = Int(view.loadUnaligned(as: Int32.self))
        guard count >= 0 else { throw .views }
        if count == 0 { return nil }
        if count <= 12 { return (view + 4, count) }
        let buffer = Int(view.loadUnaligned(fromByteOffset: 8, as: Int32.self))
        let start = Int(view.loadUnaligned(fromByteOffset: 12, as: Int32.self))
        guard buffer >= 0, buffer < viewBufferCount, start >= 0, let viewSizes, let viewBuffers else { throw .views }
        let size = viewSizes.loadUnaligned(fromByteOffset: buffer &* 8, as: Int64.self)
        guard Int64(start &+ count) <= size else { throw .views }
        guard let bytes = viewBuffers[buffer] else { throw .missingBuffer }
        return (bytes + start, count)
    }
}
