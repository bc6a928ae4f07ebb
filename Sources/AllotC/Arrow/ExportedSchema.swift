import CAllot

/// A type that is given to a consumer, and its children. The consumer releases it.
struct ExportedSchema: Sendable {
    private let format: String
    let name: String
    private let isNullable: Bool
    private let children: [ExportedSchema]
    /// One of the values, for an array with a dictionary.
    private let values: [ExportedSchema]
    private let metadata: [(key: String, value: String)]

    init(_ format: String, name: String, isNullable: Bool) {
        (self.format, self.name, self.isNullable) = (format, name, isNullable)
        (children, values, metadata) = ([], [], [])
    }

    /// A column of texts, as indices of 32 bits into a dictionary.
    ///
    /// - Parameter isPlain: whether they are texts one by one instead.
    init(dictionaryNamed name: String, isNullable: Bool, isPlain: Bool) {
        (format, self.name, self.isNullable) = (isPlain ? "u" : "i", name, isNullable)
        (children, metadata) = ([], [])
        values = isPlain ? [] : [ExportedSchema("u", name: "", isNullable: false)]
    }

    init(table children: [ExportedSchema], metadata: [(key: String, value: String)]) {
        (format, name, isNullable) = ("+s", "", false)
        (self.children, values, self.metadata) = (children, [], metadata)
    }

    /// Writes the structure over what is there.
    func export(to schema: UnsafeMutablePointer<ArrowSchema>) {
        let owner = SchemaOwner(format: format, name: name, metadata: metadata, children: children, values: values)
        schema.initialize(
            to: ArrowSchema(
                format: owner.format, name: owner.name, metadata: owner.metadata.map { UnsafePointer($0) },
                flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: Int64(children.count),
                children: owner.children, dictionary: owner.dictionary,
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
    let children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>?
    let dictionary: UnsafeMutablePointer<ArrowSchema>?
    private let childCount: Int

    init(
        format: String, name: String, metadata: [(key: String, value: String)], children: [ExportedSchema],
        values: [ExportedSchema]
    ) {
        self.format = format.copyForC()
        self.name = name.copyForC()
        self.metadata = metadata.isEmpty ? nil : ArrowMetadata.encode(metadata)
        childCount = children.count
        self.children = children.isEmpty ? nil : .allocate(capacity: children.count)
        for (index, child) in children.enumerated() {
            let pointer = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
            child.export(to: pointer)
            self.children?.advanced(by: index).initialize(to: pointer)
        }
        dictionary = values.isEmpty ? nil : .allocate(capacity: 1)
        if let dictionary, let first = values.first { first.export(to: dictionary) }
    }

    deinit {
        format.deallocate()
        name.deallocate()
        metadata?.deallocate()
        for index in 0..<childCount { children?[index]?.deallocate() }
        children?.deallocate()
        dictionary?.deallocate()
    }
}

extension UnsafeMutablePointer<ArrowSchema> {
    func release() { pointee.release?(self) }
}
