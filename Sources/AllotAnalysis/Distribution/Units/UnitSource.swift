/// Where the unit IDs of a study come from. It is read once, from several threads.
public protocol UnitSource: AnyObject, Sendable {
    /// What the unit IDs are, for reports: `sequential`, `users.csv, column user_id`.
    var name: String { get }

    /// How many unit IDs there are, if that is known beforehand.
    var expectedCount: Int? { get }

    /// Replaces the unit IDs of a block by the next ones, each of 1 to 1024 bytes, each only once in the source.
    ///
    /// - Returns: how many unit IDs came before them; `nil` when there are none left, and the block is empty.
    func next(into block: inout UnitBlock) throws -> Int?

    /// What a reader of the report should know about the unit IDs, in sentences; asked for at the end.
    var notes: [String] { get }
}

extension UnitSource {
    public var notes: [String] { [] }
}
