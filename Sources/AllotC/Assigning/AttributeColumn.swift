import AllotConfiguration
import CAllot

/// The column of an attribute: single values or lists, plain or with a dictionary. See ``ScalarArray``.
struct AttributeColumn {
    /// Where lists are: their elements are the values.
    let lists: ListArray?
    /// The indices of values with a dictionary.
    let indices: ScalarArray?
    /// The values, or those of the dictionary.
    let values: ScalarArray

    init(_ structure: ArrowStructure, for purpose: ColumnPurpose) throws {
        guard structure.schema.dictionary == nil, case .list(let kind) = try Self.type(structure) else {
            lists = nil
            (indices, values) = try Self.scalars(structure, for: purpose)
            return
        }
        lists = try ListArray(structure, kind)
        (indices, values) = try Self.scalars(structure.child(0), for: purpose)
    }

    /// The index of a value among those of the dictionary, if there is one. Returns `nil` for a null index.
    @inline(__always)
    func position(_ index: Int) throws(ValueFault) -> Int? {
        guard let indices else { return index }
        guard indices.isValid(index) else { return nil }
        guard let position = indices.integer(index)?.index(below: values.length) else { throw .dictionaryIndex }
        return position
    }

    private static func scalars(
        _ structure: ArrowStructure, for purpose: ColumnPurpose
    ) throws -> (indices: ScalarArray?, values: ScalarArray) {
        guard let dictionary = try structure.dictionary() else {
            return (nil, try ScalarArray(structure, scalar(type(structure), structure, for: purpose)))
        }
        // An extension that is stored with a dictionary is named with the indices.
        let extensionName = try structure.extensionName
        guard let kind = ScalarKind(format: try structure.format), kind.isInteger else {
            throw structure.error("the indices of a dictionary are not integers")
        }
        guard dictionary.schema.dictionary == nil else { throw structure.error("a dictionary has a dictionary") }
        let type = try type(dictionary, extensionName: extensionName ?? dictionary.extensionName)
        let valueKind = try scalar(type, structure, for: purpose)
        return (try ScalarArray(structure, kind), try ScalarArray(dictionary, valueKind))
    }

    private static func type(_ structure: ArrowStructure) throws -> ArrowType {
        try type(structure, extensionName: structure.extensionName)
    }

    private static func type(_ structure: ArrowStructure, extensionName: String?) throws -> ArrowType {
        ArrowType(format: try structure.format, extensionName: extensionName)
    }

    private static func scalar(
        _ type: ArrowType, _ structure: ArrowStructure, for purpose: ColumnPurpose
    ) throws -> ScalarKind {
        let found: String
        switch type {
        case .scalar(let kind): return kind
        case .list: found = "a list of lists"
        case .unsupported(let name): found = name
        }
        throw InterfaceError.data(
            "the column \(QuotedText(structure.name)) is of type \(found), which \(purpose.name) cannot have; "
                + purpose.fix)
    }
}

struct ColumnPurpose {
    let name: String
    let fix: String

    static func attribute(_ name: String) -> ColumnPurpose {
        ColumnPurpose(
            name: "the attribute \(QuotedText(name))",
            fix: "cast it to text, a number, a boolean, a date, a timestamp or a list of these, or leave it out")
    }

    static func unit(_ name: String) -> ColumnPurpose {
        ColumnPurpose(name: "the unit ID \(QuotedText(name))", fix: unitFix)
    }

    static var instant: ColumnPurpose { ColumnPurpose(name: "an instant", fix: "cast it to timestamp") }

    static let unitFix = "cast it to text or int64"
}

/// Lists of the values of a child.
struct ListArray {
    let kind: ListKind
    let offset: Int
    let length: Int
    private let validity: UnsafeRawPointer?
    private let offsets: UnsafeRawPointer?
    private let sizes: UnsafeRawPointer?

    init(_ structure: ArrowStructure, _ kind: ListKind) throws {
        try structure.check(buffers: kind.bufferCount)
        guard structure.schema.n_children == 1 else { throw structure.error("a list has one child") }
        self.kind = kind
        (offset, length) = (structure.offset, structure.length)
        validity = try structure.validity()
        offsets = kind.bufferCount > 1 ? try structure.buffer(1) : nil
        sizes = kind.bufferCount > 2 ? try structure.buffer(2) : nil
    }

    /// The elements of a list, among `count`. Returns `nil` for null.
    func elements(_ index: Int, among count: Int) throws(ValueFault) -> Range<Int>? {
        let position = offset &+ index
        if let validity, !validity.bit(position) { return nil }
        let (start, size): (Int, Int)
        switch kind {
        case .fixed(let width):
            let (product, overflow) = position.multipliedReportingOverflow(by: width)
            guard !overflow else { throw .listBounds }
            (start, size) = (product, width)
        case .offsets32: (start, size) = Self.pair(offsets, position, offsets, position &+ 1, Int32.self)
        case .offsets64: (start, size) = Self.pair(offsets, position, offsets, position &+ 1, Int64.self)
        case .views32:
            let (first, next) = Self.pair(offsets, position, sizes, position, Int32.self)
            (start, size) = (first, next &+ first)
        case .views64:
            let (first, next) = Self.pair(offsets, position, sizes, position, Int64.self)
            (start, size) = (first, next &+ first)
        }
        guard start >= 0, size >= 0, start <= count, size <= count &- start else { throw .listBounds }
        return start..<start &+ size
    }

    /// A number, and the second less the first.
    private static func pair<Number: FixedWidthInteger & BitwiseCopyable>(
        _ first: UnsafeRawPointer?, _ firstIndex: Int, _ second: UnsafeRawPointer?, _ secondIndex: Int, _: Number.Type
    ) -> (Int, Int) {
        guard let first, let second else { return (-1, -1) }
        let size = MemoryLayout<Number>.size
        let start = Int(first.loadUnaligned(fromByteOffset: firstIndex &* size, as: Number.self))
        return (start, Int(second.loadUnaligned(fromByteOffset: secondIndex &* size, as: Number.self)) &- start)
    }
}
