/// How an output may come into being. `Sendable`.
package struct OutputRules: Sendable {
    /// Whether only the owner may read the file: mode 0600 from its first byte on, also where it replaces another.
    package var isPrivate: Bool
    /// Whether it may take the place of a file.
    package var mayReplace: Bool

    package init(isPrivate: Bool = false, mayReplace: Bool = true) {
        self.isPrivate = isPrivate
        self.mayReplace = mayReplace
    }
}
