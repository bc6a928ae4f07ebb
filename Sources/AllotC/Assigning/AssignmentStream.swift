import AllotFiles
import CAllot
import Synchronization

final class AssignmentStream {
    private let assignment: TableAssignment
    /// In memory of its own, so that the producer's code, which may do anything, finds it at one address.
    private let input: UnsafeMutablePointer<ArrowArrayStream>
    private var schema = ArrowSchema()
    private let output: ExportedSchema
    private var rowCount = 0
    /// The reason why no more batches come: after a failure the rows would be counted wrongly.
    private var failure: InterfaceError?
    private var lastError: UnsafeMutablePointer<CChar>?
    private let isBusy = Atomic(false)

    /// Reads and checks the schema, and takes over the stream if it is fine.
    init(_ assignment: TableAssignment, taking stream: UnsafeMutablePointer<ArrowArrayStream>) throws {
        guard stream.pointee.release != nil else { throw InterfaceError.argument("input is released") }
        self.assignment = assignment
        var schema = ArrowSchema()
        let number = stream.pointee.get_schema?(stream, &schema) ?? EINVAL
        guard number == 0 else { throw stream.error(number) }
        do {
            output = try assignment.schema(of: &schema)
        } catch {
            schema.release?(&schema)
            throw error
        }
        self.schema = schema
        input = .allocate(capacity: 1)
        input.initialize(to: stream.pointee)
        stream.pointee.release = nil
    }

    deinit {
        if let release = schema.release { release(&schema) }
        if let release = input.pointee.release { release(input) }
        input.deallocate()
        lastError?.deallocate()
    }

    /// Writes the structure over what is there. From now on the consumer owns the stream.
    func export(to stream: UnsafeMutablePointer<ArrowArrayStream>) {
        stream.initialize(
            to: ArrowArrayStream(
                get_schema: { stream, schema in
                    AssignmentStream.of(stream) { owner in
                        guard let schema else { throw InterfaceError.missing("out") }
                        try owner.exportSchema(to: schema)
                    }
                },
                get_next: { stream, array in
                    AssignmentStream.of(stream) { owner in
                        guard let array else { throw InterfaceError.missing("out") }
                        try owner.next(array)
                    }
                },
                get_last_error: { stream in
                    guard let owner = stream?.pointee.private_data else { return nil }
                    let stream = Unmanaged<AssignmentStream>.fromOpaque(owner).takeUnretainedValue()
                    return stream.isBusy.load(ordering: .acquiring) ? nil : stream.lastError.map { UnsafePointer($0) }
                },
                release: { stream in
                    guard let stream, stream.pointee.release != nil, let owner = stream.pointee.private_data else {
                        return
                    }
                    (stream.pointee.release, stream.pointee.private_data) = (nil, nil)
                    Unmanaged<AssignmentStream>.fromOpaque(owner).release()
                }, private_data: Unmanaged.passRetained(self).toOpaque()))
    }

    /// Runs a callback: what it throws becomes an error number, and the text of `get_last_error`. Returns `EBUSY` if
    /// another callback runs, for example if the producer reads the stream that it feeds.
    private static func of(
        _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ body: (AssignmentStream) throws -> Void
    ) -> Int32 {
        guard let owner = stream?.pointee.private_data else { return EINVAL }
        // A reference of its own: the producer may release this stream meanwhile.
        let stream = Unmanaged<AssignmentStream>.fromOpaque(owner).retain()
        defer { stream.release() }
        return stream.takeUnretainedValue().run(body)
    }

    private func run(_ body: (AssignmentStream) throws -> Void) -> Int32 {
        guard isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else {
            return EBUSY
        }
        defer { isBusy.store(false, ordering: .releasing) }
        lastError?.deallocate()
        lastError = nil
        do {
            try body(self)
            return 0
        } catch {
            let error = InterfaceError(error)
            lastError = error.message.copyForC()
            return error.number
        }
    }

    /// Assigns the next batch; at the end, the array is a released one.
    private func next(_ output: UnsafeMutablePointer<ArrowArray>) throws {
        if let failure { throw failure }
        do {
            try assignNext(output)
        } catch {
            let error = InterfaceError(error)
            failure = error
            throw error
        }
    }

    private func assignNext(_ output: UnsafeMutablePointer<ArrowArray>) throws {
        var batch = ArrowArray()
        let number = input.pointee.get_next?(input, &batch) ?? EINVAL
        guard number == 0 else { throw input.error(number) }
        guard batch.release != nil else {
            output.initialize(to: ArrowArray())
            return
        }
        defer { if let release = batch.release { release(&batch) } }
        if assignment.includesInput { try ArrowStructure(table: &schema, &batch).checkColumns() }
        let assigned = try assignment.assign(&schema, &batch, firstRow: rowCount)
        rowCount += Int(batch.length)
        guard assignment.includesInput else {
            assigned.export(to: output)
            return
        }
        var columns = ArrowArray()
        assigned.export(to: &columns)
        let joined = try JoinedArray(&batch, &columns)
        joined.export(to: output)
    }

    /// The schema of the output; that of the input is read anew, because it has one owner only.
    private func exportSchema(to schema: UnsafeMutablePointer<ArrowSchema>) throws {
        guard assignment.includesInput else {
            output.export(to: schema)
            return
        }
        var columns = ArrowSchema()
        let number = input.pointee.get_schema?(input, &columns) ?? EINVAL
        guard number == 0 else { throw input.error(number) }
        do {
            // It may be another one than before.
            _ = try assignment.schema(of: &columns)
        } catch {
            columns.release?(&columns)
            throw error
        }
        var assigned = ArrowSchema()
        output.export(to: &assigned)
        JoinedSchema(&columns, &assigned).export(to: schema)
    }
}

extension UnsafeMutablePointer<ArrowArrayStream> {
    func error(_ number: Int32) -> InterfaceError {
        let text = pointee.get_last_error?(self).map { String(cString: $0) } ?? String(cString: strerror(number))
        return .input(text, number: number)
    }
}
