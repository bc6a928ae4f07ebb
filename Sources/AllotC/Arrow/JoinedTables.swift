import CAllot

/// The columns of two batches as those of one, which owns both.
final class JoinedArray {
    private var parts: (first: ArrowArray, second: ArrowArray)
    private let children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>
    private let buffers: UnsafeMutablePointer<UnsafeRawPointer?>

    /// Takes over two batches of the same length, whose `release` becomes null. The second has no offset. The columns
    /// of the first must have been checked, see `ArrowStructure.checkColumns()`.
    init(_ first: inout ArrowArray, _ second: inout ArrowArray) throws {
        let validity = first.n_buffers > 0 && first.null_count != 0 ? first.buffers?[0] : nil
        if first.offset != 0 {
            guard validity == nil else {
                second.release?(&second)
                throw InterfaceError.data("rows of the table are null, and it has an offset; give it without null rows")
            }
            // The offset of a table counts for its columns.
            for index in 0..<Int(first.n_children) {
                guard let child = first.children[index] else { continue }
                child.pointee.offset += first.offset
                child.pointee.length = first.length
                child.pointee.null_count = child.pointee.null_count == 0 ? 0 : -1
            }
        }
        let count = Int(first.n_children + second.n_children)
        children = .allocate(capacity: max(count, 1))
        for index in 0..<count {
            let position = index - Int(first.n_children)
            (children + index).initialize(to: position < 0 ? first.children[index] : second.children[position])
        }
        buffers = .allocate(capacity: 1)
        buffers.initialize(to: validity)
        parts = (first, second)
        (first.release, second.release) = (nil, nil)
    }

    deinit {
        // They release those of their columns that the consumer has not moved elsewhere.
        parts.first.release?(&parts.first)
        parts.second.release?(&parts.second)
        children.deallocate()
        buffers.deallocate()
    }

    /// Writes the structure over what is there. From now on the consumer owns it.
    func export(to array: UnsafeMutablePointer<ArrowArray>) {
        array.initialize(
            to: ArrowArray(
                length: parts.first.length, null_count: buffers.pointee == nil ? 0 : parts.first.null_count, offset: 0,
                n_buffers: 1, n_children: parts.first.n_children + parts.second.n_children, buffers: buffers,
                children: children, dictionary: nil,
                release: { array in
                    guard let array, array.pointee.release != nil, let owner = array.pointee.private_data else {
                        return
                    }
                    array.pointee.release = nil
                    Unmanaged<JoinedArray>.fromOpaque(owner).release()
                }, private_data: Unmanaged.passRetained(self).toOpaque()))
    }
}

/// The schema of a ``JoinedArray``, with the metadata of the first table.
final class JoinedSchema {
    private var parts: (first: ArrowSchema, second: ArrowSchema)
    private let children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>

    /// Takes over two schemas, whose `release` becomes null.
    init(_ first: inout ArrowSchema, _ second: inout ArrowSchema) {
        let count = Int(first.n_children + second.n_children)
        children = .allocate(capacity: max(count, 1))
        for index in 0..<count {
            let position = index - Int(first.n_children)
            (children + index).initialize(to: position < 0 ? first.children[index] : second.children[position])
        }
        parts = (first, second)
        (first.release, second.release) = (nil, nil)
    }

    deinit {
        parts.first.release?(&parts.first)
        parts.second.release?(&parts.second)
        children.deallocate()
    }

    /// Writes the structure over what is there. From now on the consumer owns it.
    func export(to schema: UnsafeMutablePointer<ArrowSchema>) {
        schema.initialize(
            to: ArrowSchema(
                format: parts.first.format, name: parts.first.name, metadata: parts.first.metadata,
                flags: parts.first.flags, n_children: parts.first.n_children + parts.second.n_children,
                children: children, dictionary: nil,
                release: { schema in
                    guard let schema, schema.pointee.release != nil, let owner = schema.pointee.private_data else {
                        return
                    }
                    schema.pointee.release = nil
                    Unmanaged<JoinedSchema>.fromOpaque(owner).release()
                }, private_data: Unmanaged.passRetained(self).toOpaque()))
    }
}
