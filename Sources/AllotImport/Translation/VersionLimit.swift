/// The limit on versions that become patterns, whose size grows with the square of their length.
enum VersionLimit {
    /// The maximum length of a version, in bytes.
    static let bytes = 256

    /// The problem with a longer version.
    static func problem(of version: String, at node: PayloadNode) -> ImportProblem {
        node.problem("a version has at most \(bytes) bytes, and this one has \(version.utf8.count)")
    }
}
