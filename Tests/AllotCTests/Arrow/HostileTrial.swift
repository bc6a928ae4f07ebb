import CAllot

/// One hostile table, assigned in several ways. Whatever it is, the answers agree.
struct HostileTrial<Random: RandomNumberGenerator> {
    private var table: HostileTable<Random>

    init(_ random: Random) { table = HostileTable(random) }

    /// The table, for messages.
    var description: String { "\(table.options) \(table.table)" }

    /// What a call answers: a message, or cells.
    enum Answer: Equatable {
        case failure(String)
        case cells([String])
    }

    /// The answer of one thread and whether others agree.
    mutating func run(_ plan: OpaquePointer) -> (answer: Answer, problem: String?) {
        let lent = table.lent()
        let one = Self.assign(plan, table.options, lent)
        let two = Self.assign(plan, table.options.dropLast() + #", "threads": 2}"#, lent)
        if one != two { return (one, "two threads answer \(two) and one \(one)") }
        // A batch that is released is the end of a stream.
        guard lent.array.pointee.release != nil else { return (one, nil) }
        let streamed = Self.stream(plan, table.options, lent)
        if one != streamed { return (one, "a stream answers \(streamed), and a table \(one)") }
        // Once by the stream, which owns it.
        if lent.schemaReleases > 1 { return (one, "the schema was released \(lent.schemaReleases) times") }
        if lent.arrayReleases > 1 { return (one, "the array was released \(lent.arrayReleases) times") }
        return (one, nil)
    }

    private static func assign(_ plan: OpaquePointer, _ options: some StringProtocol, _ table: LentColumn) -> Answer {
        let output = AssignedTable()
        var message: UnsafeMutablePointer<CChar>?
        defer { allot_text_release(message) }
        let status = allot_assign(
            plan, String(options), table.schema, table.array, &output.schema, &output.array, &message)
        guard status == ALLOT_OK else { return .failure(message.map { String(cString: $0) } ?? "") }
        return .cells(output.cells)
    }

    /// A stream of one batch, of which the consumer takes the schema, the batch, and the end.
    private static func stream(_ plan: OpaquePointer, _ options: String, _ table: LentColumn) -> Answer {
        let input = LentStream(lent: table)
        defer { withExtendedLifetime(input) {} }
        let output = AssignedTable()
        var stream = ArrowArrayStream()
        var message: UnsafeMutablePointer<CChar>?
        defer { allot_text_release(message) }
        guard allot_assign_stream(plan, options, input.stream, &stream, &message) == ALLOT_OK else {
            return .failure(message.map { String(cString: $0) } ?? "")
        }
        defer { stream.release(&stream) }
        guard stream.get_schema(&stream, &output.schema) == 0, stream.get_next(&stream, &output.array) == 0 else {
            return .failure(stream.get_last_error(&stream).map { String(cString: $0) } ?? "")
        }
        return .cells(output.cells)
    }
}
