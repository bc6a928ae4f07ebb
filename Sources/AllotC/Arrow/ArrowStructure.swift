import AllotConfiguration
import CAllot

/// An array with its type, as the caller gives it: what can be checked of it is, before anything is read.
///
/// The sizes of buffers are not in the interface. The caller guarantees them, and that nothing changes during the call.
struct ArrowStructure {
    let schema: ArrowSchema
    /// `nil` where only the type is known.
    let array: ArrowArray?
    let name: String

    /// The most values of an array. More bytes than any computer has, and few enough that no offset overflows.
    private static let lengthLimit = 1 << 48

    init(table schema: UnsafePointer<ArrowSchema>?, _ array: UnsafePointer<ArrowArray>?) throws {
        guard let schema else { throw InterfaceError.missing("schema") }
        self.init(schema.pointee, array?.pointee, name: "the table")
        try check(buffers: 1)
        guard try format == "+s" else {
            throw InterfaceError.data("the table is not a struct of columns; export a record batch, not a column")
        }
    }

    private init(_ schema: ArrowSchema, _ array: ArrowArray?, name: String) {
        (self.schema, self.array, self.name) = (schema, array, name)
    }

    var format: String {
        get throws {
            guard let format = schema.format else { throw error("the format is NULL") }
            guard let text = String(validatingCString: format) else { throw error("the format is not UTF-8") }
            return text
        }
    }

    /// The name of the extension type of the values; `nil` for a plain type.
    var extensionName: String? {
        get throws {
            guard let metadata = schema.metadata else { return nil }
            let key = ArrowMetadata.extensionName
            return try ArrowMetadata.value(of: key, in: metadata, error("a number in the metadata is negative"))
        }
    }

    var offset: Int { array.map { Int($0.offset) } ?? 0 }
    var length: Int { array.map { Int($0.length) } ?? 0 }
    /// The number of values that buffers have: those before the offset as well.
    var end: Int { offset + length }

    /// Checks what all types have in common, and the number of buffers unless any is right.
    func check(buffers: Int?) throws {
        guard schema.release != nil else { throw error("the schema is released") }
        guard schema.n_children >= 0, schema.n_children == 0 || schema.children != nil else {
            throw error("the children of the schema are missing")
        }
        guard let array else { return }
        guard array.release != nil else { throw error("the array is released") }
        guard array.length >= 0, array.offset >= 0, array.length <= Self.lengthLimit, array.offset <= Self.lengthLimit
        else { throw error("length \(array.length) and offset \(array.offset) are not those of an array") }
        guard array.null_count >= -1, array.null_count <= array.length else {
            throw error("null_count is \(array.null_count) of \(array.length)")
        }
        guard array.n_buffers >= 0, array.n_buffers == 0 || array.buffers != nil else {
            throw error("the buffers are missing")
        }
        if let buffers, array.n_buffers != buffers {
            throw error("there are \(array.n_buffers) buffers, not \(buffers)")
        }
        guard array.n_children == schema.n_children, array.n_children == 0 || array.children != nil else {
            throw error("the array has \(array.n_children) children, and the schema \(schema.n_children)")
        }
    }

    func check(rowCount: Int) throws {
        guard array == nil || length >= rowCount else {
            throw error("its length is \(length), and the table has \(rowCount) rows")
        }
    }

    /// Checks the columns of a table that are passed on unread.
    func checkColumns() throws {
        for index in 0..<Int(schema.n_children) {
            let column = try column(index)
            try column.check(buffers: nil)
            try column.check(rowCount: end)
        }
    }

    /// A child, in which nothing is checked yet.
    func child(_ index: Int) throws -> ArrowStructure {
        guard index < schema.n_children, let child = schema.children[index] else {
            throw error("child \(index) of the schema is missing")
        }
        var childArray: ArrowArray?
        if let array {
            guard index < array.n_children, let pointer = array.children[index] else {
                throw error("child \(index) of the array is missing")
            }
            childArray = pointer.pointee
        }
        return ArrowStructure(child.pointee, childArray, name: name)
    }

    /// A child as a column of its own name. A null name is an empty one.
    func column(_ index: Int) throws -> ArrowStructure {
        let child = try child(index)
        guard let name = child.schema.name else { return ArrowStructure(child.schema, child.array, name: "") }
        guard let text = String(validatingCString: name) else {
            throw error("the name of column \(index) is not UTF-8")
        }
        return ArrowStructure(child.schema, child.array, name: text)
    }

    /// The values of a dictionary; `nil` for an array that is not encoded so.
    func dictionary() throws -> ArrowStructure? {
        guard let dictionary = schema.dictionary else {
            if array?.dictionary != nil { throw error("the array has a dictionary, and the schema has not") }
            return nil
        }
        guard let array else { return ArrowStructure(dictionary.pointee, nil, name: name) }
        guard let values = array.dictionary else { throw error("the array has no dictionary") }
        return ArrowStructure(dictionary.pointee, values.pointee, name: name)
    }

    /// The bitmap of values that are not null; `nil` if all are.
    func validity() throws -> UnsafeRawPointer? {
        guard let array, array.n_buffers > 0, let bitmap = array.buffers[0] else {
            if let array, array.null_count > 0, array.length > 0 {
                throw error("null_count is \(array.null_count), and there is no validity buffer")
            }
            return nil
        }
        return array.null_count == 0 ? nil : bitmap
    }

    /// A buffer that an array with values must have.
    func buffer(_ index: Int) throws -> UnsafeRawPointer? {
        guard let array else { return nil }
        let buffer = array.buffers[index]
        guard buffer != nil || end == 0 else { throw error("buffer \(index) is NULL") }
        return UnsafeRawPointer(buffer)
    }

    /// An error about malformed data, with the column.
    func error(_ what: String) -> InterfaceError { .data("\(QuotedText(name)): malformed Arrow data: \(what)") }
}
