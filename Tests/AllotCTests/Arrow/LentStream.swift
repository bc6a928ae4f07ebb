import CAllot

/// A stream of tables, lent to the library.
final class LentStream {
    let stream = UnsafeMutablePointer<ArrowArrayStream>.allocate(capacity: 1)
    /// What happened, in order.
    private(set) var events: [String] = []
    /// What is done before a batch is given out.
    var beforeNext: () -> Void = {}
    /// The batches that were given out.
    private var given: [LentColumn] = []
    private var schemas: [LentColumn] = []
    private let makeSchema: () -> LentColumn
    private let batches: [() -> LentColumn]
    /// The batch before which reading fails.
    private let failure: (index: Int, message: UnsafeMutablePointer<CChar>?)?

    /// - Parameter failure: the index of the batch that cannot be read, and what the stream says of it.
    convenience init(_ schema: ArrowColumn, _ batches: [ArrowColumn], failure: (index: Int, message: String?)? = nil) {
        self.init({ LentColumn(schema) }, batches.map { batch in { LentColumn(batch) } }, failure: failure)
    }

    /// A stream of one table that exists already.
    convenience init(lent: LentColumn) { self.init({ lent }, [{ lent }], failure: nil) }

    private init(
        _ schema: @escaping () -> LentColumn, _ batches: [() -> LentColumn], failure: (index: Int, message: String?)?
    ) {
        (makeSchema, self.batches) = (schema, batches)
        self.failure = failure.map { ($0.index, $0.message.map(LentColumn.text)) }
        stream.initialize(
            to: ArrowArrayStream(
                get_schema: { stream, schema in LentStream.of(stream)?.getSchema(schema) ?? 22 },
                get_next: { stream, array in LentStream.of(stream)?.getNext(array) ?? 22 },
                get_last_error: { stream in
                    LentStream.of(stream)?.failure?.message.map { UnsafePointer($0) }
                },
                release: { stream in
                    LentStream.of(stream)?.events.append("release stream")
                    stream?.pointee.release = nil
                }, private_data: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit {
        stream.deallocate()
        failure?.message?.deallocate()
    }

    private static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> LentStream? {
        (stream?.pointee.private_data).map { Unmanaged<LentStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private func getSchema(_ output: UnsafeMutablePointer<ArrowSchema>?) -> Int32 {
        events.append("get schema")
        if let failure, failure.index < 0 { return 5 }
        schemas.append(makeSchema())
        output?.pointee = schemas[schemas.count - 1].schema.pointee
        return 0
    }

    private func getNext(_ output: UnsafeMutablePointer<ArrowArray>?) -> Int32 {
        let index = given.count
        events.append("get \(index)")
        beforeNext()
        if let failure, failure.index == index { return 5 }
        guard index < batches.count else {
            output?.pointee = ArrowArray()
            return 0
        }
        given.append(batches[index]())
        output?.pointee = given[index].array.pointee
        return 0
    }

    /// How often each batch was released.
    var batchReleases: [Int] { given.map(\.arrayReleases) }
    /// How often each of its schemas was released.
    var schemaReleases: [Int] { schemas.map(\.schemaReleases) }
}
