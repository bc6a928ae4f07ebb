/// A definitions folder as a part of its repository, for reports that name files from the top of the repository.
package struct RepositoryFolder: Sendable {
    private let name: String
    private let path: String

    /// Takes the folder as problems name it, a path or `REVISION:DIR`, and its path from the top of the repository;
    /// `nil` if it is not in one.
    package init(_ name: String, path: String?) {
        self.name = name
        let shown = name.hasPrefix("./") ? String(name.dropFirst(2)) : name
        self.path = path ?? (shown.hasSuffix("/") ? String(shown.dropLast()) : shown)
    }

    /// The path of a file in the repository, without a revision. A file that is not in the folder keeps its name.
    package func path(of file: String) -> String {
        guard file.hasPrefix(name) else { return file }
        let rest = file.dropFirst(name.count)
        guard rest.isEmpty || rest.hasPrefix("/") || name.hasSuffix("/") else { return file }
        return [path, String(rest.trimmingPrefix("/"))].filter { !$0.isEmpty }.joined(separator: "/")
    }
}

extension DefinitionProblem {
    package func located(in folder: RepositoryFolder?) -> DefinitionProblem {
        DefinitionProblem(
            severity: severity, file: folder?.path(of: file) ?? file, position: position, message: message, path: path)
    }
}
