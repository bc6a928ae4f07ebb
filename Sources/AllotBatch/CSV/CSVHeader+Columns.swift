extension CSVHeader {
    /// The index of the one column with a name.
    ///
    /// - Parameters:
    ///   - file: the input's name for messages.
    ///   - option: the option of the command line that gave the name, if one did.
    /// - Throws: `BatchError` if there is no such column, or several.
    public func index(of name: String, in file: String, for option: String? = nil) throws(BatchError) -> Int {
        guard let index = try indexIfPresent(of: name, in: file) else {
            let purpose = option.map { " for \($0)" } ?? ""
            throw BatchError(description: "\(file) has no column \"\(name)\"\(purpose); it has \(listedNames)")
        }
        return index
    }

    /// The index of the column with a name, `nil` if there is none.
    ///
    /// - Throws: `BatchError` if there are several.
    public func indexIfPresent(of name: String, in file: String) throws(BatchError) -> Int? {
        let indices = indices(of: name)
        guard indices.count < 2 else {
            throw BatchError(
                description: "\(file): the columns \(indices[0] + 1) and \(indices[1] + 1) are both named \"\(name)\"; "
                    + "rename one, so that it is clear which is meant")
        }
        return indices.first
    }

    /// The first names, for messages.
    public var listedNames: String {
        let shown = names.prefix(12).map { "\"\($0)\"" }.joined(separator: ", ")
        return names.count > 12 ? "\(shown), … (\(names.count) in all)" : shown
    }
}
