import CAllot

/// A type that is given to a consumer, and its children. The consumer releases it.
struct ExportedSchema: Sendable {
    fileprivate let format: String
    let name: String
    private let isNullable: Bool
    fileprivate let children: [ExportedSchema]
    /// One of the values, for an array with a dictionary.
    fileprivate let values: [ExportedSchema]
    fileprivate let metadata: [(key: String, value: String)]

    init(_ format: String, name: String, isNullable: Bool) {
        (self.format, self.name, self.isNullable) = (format, name, isNullable)
        (children, values, metadata) = ([], [], [])
    }

    /// A column of texts, as indices of 32 bits into a dictionary, or plain texts one by one.
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
