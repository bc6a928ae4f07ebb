/// The limit on versions that become patterns, whose size grows with the square of their length.
enum VersionLimit {
    private static let bytes = 256

    static func check(_ version: String, at node: PayloadNode) throws(ImportProblem) {
        guard version.utf8.count > bytes else { return }
        throw node.problem("a version has at most \(bytes) bytes, and this one has \(version.utf8.count)")
    }
}
