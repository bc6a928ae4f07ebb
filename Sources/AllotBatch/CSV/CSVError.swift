/// Why an input cannot be processed to its end, and where in the file.
public struct CSVError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The input as it was named: a path, or `standard input`.
    public let path: String
    /// The line, from 1. Line feeds within quotes count.
    public let line: Int
    /// The column in Unicode scalars, from 1. A byte order mark does not count.
    public let column: Int
    /// What is wrong and how to mend it.
    public let message: String

    /// Creates an error at a place of a file.
    public init(path: String, line: Int, column: Int, message: String) {
        self.path = path
        self.line = line
        self.column = column
        self.message = message
    }

    /// `users.csv:3:14: text after a closing quote; …`
    public var description: String {
        "\(path):\(line):\(column): \(message)"
    }
}
