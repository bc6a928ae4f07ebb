import AllotFiles
import CAllot
import Testing

/// Streams of batches.
struct StreamTests {
    private static func plan() throws -> LentPlan {
        try LentPlan(experiments: [
            ("e", "status: running\nvariants: [{ key: x }]\nforced: { u3: x }\n")
        ])
    }

    private static func batch(_ ids: [String?]) -> ArrowColumn {
        .table([.texts(ids).named("user_id"), .nulls(ids.count).named("other")])
    }

    private static let batches = [batch(["u1", nil]), batch([]), batch(["u2"]), batch(["u3", "u4", ""])]

    /// Opens a stream. Its plan is released at once.
    private static func open(_ input: LentStream, _ options: String? = nil) throws -> ArrowArrayStream {
        var output = ArrowArrayStream()
        let plan = try plan()
        try call { allot_assign_stream(plan.pointer, options, input.stream, &output, $0) }
        return output
    }

    /// The next batch. Returns `nil` at the end.
    private static func next(_ stream: inout ArrowArrayStream) throws -> AssignedTable? {
        let table = AssignedTable()
        guard stream.get_next(&stream, &table.array) == 0, stream.get_schema(&stream, &table.schema) == 0 else {
            throw Failure(
                status: -1, message: stream.get_last_error(&stream).map { String(cString: $0) } ?? "(nothing)")
        }
        return table.array.release == nil ? nil : table
    }

    /// Expects that a stream cannot be opened; returns the message.
    private static func refusal(of input: LentStream, _ options: String? = nil) -> String? {
        (#expect(throws: Failure.self) { try open(input, options) })?.message
    }

    /// The message of the next batch's failure. Returns `nil` if it does not fail.
    private static func failure(_ stream: inout ArrowArrayStream) -> String? {
        do {
            _ = try next(&stream)
        } catch let failure as Failure {
            return failure.message
        } catch {}
        return nil
    }

    @Test("Batches are assigned one by one, and each is released when it is")
    func batches() throws {
        let input = LentStream(Self.batches[0], Self.batches)
        var output = try Self.open(input, #"{"layout": "long", "all": true}"#)
        #expect(input.stream.pointee.release == nil)
        #expect(input.events == ["get schema"])
        var rows: [[String?]?] = []
        while let table = try Self.next(&output) {
            rows.append(table.column("row"))
            #expect(input.batchReleases == Array(repeating: 1, count: rows.count))
        }
        #expect(rows == [["0", "1"], [], ["2"], ["3", "4", "5"]])
        // At the end it stays.
        #expect(try Self.next(&output) == nil)
        #expect(input.events == ["get schema", "get 0", "get 1", "get 2", "get 3", "get 4", "get 4"])
        #expect(input.schemaReleases == [0])
        output.release(&output)
        #expect(output.release == nil)
        #expect(input.schemaReleases == [1])
        #expect(input.events.last == "release stream")
        #expect(input.batchReleases == [1, 1, 1, 1])
    }

    @Test("A stream that is not read to its end is released all the same")
    func unfinished() throws {
        let input = LentStream(Self.batches[0], Self.batches)
        var output = try Self.open(input)
        var first = try Self.next(&output)
        output.release(&output)
        #expect(input.events == ["get schema", "get 0", "release stream"])
        #expect(input.batchReleases == [1])
        // A batch outlives its stream.
        #expect(first?.column("e") == ["x", nil])
        first = nil
    }

    @Test("An error of the input, and of a batch, is the stream's")
    func errors() throws {
        let broken = LentStream(Self.batches[0], Self.batches, failure: (1, "the disk is gone"))
        var output = try Self.open(broken)
        _ = try Self.next(&output)
        #expect(output.get_last_error(&output) == nil)
        #expect(Self.failure(&output) == "the input cannot be read: the disk is gone")
        var none = ArrowArray()
        #expect(output.get_next(&output, &none) == EIO, "the producer's number stays")
        output.release(&output)

        let silent = LentStream(Self.batches[0], Self.batches, failure: (0, nil))
        output = try Self.open(silent)
        #expect(Self.failure(&output) == "the input cannot be read: Input/output error")
        output.release(&output)

        let invalid = ArrowColumn.table([
            ArrowColumn.texts([Array("u".utf8), [0xFF]]).named("user_id"), .nulls(2).named("other"),
        ])
        let malformed = LentStream(Self.batches[0], [Self.batches[0], invalid, Self.batches[0]])
        output = try Self.open(malformed)
        _ = try Self.next(&output)
        // Rows count through all batches.
        let message = "column \"user_id\", row 3: the text is not valid UTF-8; decode it before"
        #expect(Self.failure(&output) == message)
        #expect(malformed.batchReleases == [1, 1])
        // Nothing comes after it: a batch would be missing, and rows would have other numbers.
        #expect(Self.failure(&output) == message)
        #expect(malformed.events.last == "get 1")
        output.release(&output)
        #expect(malformed.batchReleases == [1, 1])
    }

    @Test("A producer that reads or releases the stream that it feeds does no harm")
    func entersAgain() throws {
        let input = LentStream(Self.batches[0], Self.batches)
        let output = UnsafeMutablePointer<ArrowArrayStream>.allocate(capacity: 1)
        defer { output.deallocate() }
        output.initialize(to: try Self.open(input))
        var numbers: [Int32] = []
        input.beforeNext = {
            var (array, schema) = (ArrowArray(), ArrowSchema())
            numbers += [output.pointee.get_next(output, &array), output.pointee.get_schema(output, &schema)]
        }
        #expect(try Self.next(&output.pointee)?.column("e") == ["x", nil])
        #expect(numbers == [EBUSY, EBUSY])
        input.beforeNext = { output.pointee.release(output) }
        var array = ArrowArray()
        let next = output.pointee.get_next
        #expect(next?(output, &array) == 0)
        #expect(input.events == ["get schema", "get 0", "get 1", "release stream"])
        array.release?(&array)
        #expect(input.batchReleases == [1, 1])
        // A released stream says so.
        #expect(next?(output, &array) == EINVAL)
        input.beforeNext = {}
    }

    @Test("A batch of another type than the schema is an error")
    func otherBatch() throws {
        let input = LentStream(Self.batches[0], [.table([.texts(["u"]).named("user_id")])])
        var output = try Self.open(input)
        let message = "\"the table\": malformed Arrow data: the array has 1 children, and the schema 2"
        #expect(Self.failure(&output) == message)
        output.release(&output)
        #expect(input.batchReleases == [1])
    }

    @Test("On failure the input stays the caller's")
    func refused() throws {
        let input = LentStream(.table([.texts(["u"]).named("id")]), [])
        var output = ArrowArrayStream()
        let plan = try Self.plan()
        let failure = #expect(throws: Failure.self) {
            try call { allot_assign_stream(plan.pointer, nil, input.stream, &output, $0) }
        }
        #expect(failure?.message.hasPrefix("the table has no column \"user_id\"") == true)
        #expect(output.release == nil)
        #expect(input.stream.pointee.release != nil)
        #expect(input.events == ["get schema"])
        #expect(input.schemaReleases == [1])

        let unreadable = LentStream(.table([]), [], failure: (-1, "no schema"))
        #expect(Self.refusal(of: unreadable) == "the input cannot be read: no schema")
        #expect(unreadable.stream.pointee.release != nil)

        let options = #"{"thread": 1}"#
        #expect(Self.refusal(of: input, options) == "unknown option \"thread\"; did you mean \"threads\"?")
        input.stream.pointee.release(input.stream)
        #expect(Self.refusal(of: input) == "input is released")
    }

    @Test("The columns of the input can come first, and are released with the batch")
    func withInput() throws {
        let input = LentStream(Self.batches[0], Self.batches)
        var output = try Self.open(input, #"{"input": true}"#)
        var table = try Self.next(&output)
        #expect(table?.names == ["user_id", "other", "e"])
        #expect(table?.column("user_id") == ["u1", nil])
        #expect(table?.column("e") == ["x", nil])
        output.release(&output)
        #expect(input.batchReleases == [0])
        table = nil
        #expect(input.batchReleases == [1])
        #expect(input.schemaReleases == [1, 1])
        // Columns that are not read are handed on, so that they are checked as well.
        var odd = Self.batch(["u1", "u2"])
        (odd.offset, odd.length) = (1, 1)
        odd.children[1].offset = .max
        var short = Self.batch(["u1", "u2"])
        (short.children[1].length, short.children[1].nullCount) = (1, 1)
        for (table, message) in [(odd, "length 2 and offset"), (short, "its length is 1, and the table has 2 rows")] {
            let bad = LentStream(Self.batches[0], [table])
            output = try Self.open(bad, #"{"input": true}"#)
            #expect(Self.failure(&output)?.contains(message) == true, "\(message)")
            output.release(&output)
            #expect(bad.batchReleases == [1])
            // Without them they do not matter.
            let unread = LentStream(Self.batches[0], [table])
            output = try Self.open(unread)
            #expect(try Self.next(&output)?.column("e")?.last == "x")
            output.release(&output)
        }
        let taken = ArrowColumn.table([.texts(["u1"]).named("user_id"), .nulls(1).named("e")])
        let clashing = LentStream(taken, [])
        let clash = Self.refusal(of: clashing, #"{"input": true}"#)
        #expect(clash?.contains("the table has a column \"e\" already") == true)
        output = try Self.open(clashing)
        output.release(&output)
        let second = LentStream(Self.batches[0], [])
        let long = #"{"input": true, "layout": "long"}"#
        #expect(Self.refusal(of: second, long) == "the option input needs the layout wide")
    }

    @Test("Time goes on, and a stream stays at its first instant unless rows have their own")
    func instants() throws {
        let times = ArrowColumn.texts(["2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"])
        let table = ArrowColumn.table([.texts(["a", "b"]).named("user_id"), times.named("at")])
        let plan = try LentPlan(experiments: [
            ("e", "status: running\nends: 2025-01-01T00:00:00Z\nvariants: [{ key: x }]\n")
        ])
        let input = LentStream(table, [table, table])
        var output = ArrowArrayStream()
        defer { withExtendedLifetime((plan, input)) {} }
        try call { allot_assign_stream(plan.pointer, #"{"time_column": "at"}"#, input.stream, &output, $0) }
        #expect(try Self.next(&output)?.column("e") == ["x", nil])
        #expect(try Self.next(&output)?.column("e") == ["x", nil])
        output.release(&output)
    }
}
