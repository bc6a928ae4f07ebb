import AllotDefinitions
import AllotFiles

/// Where definitions are: in a folder on disk, or in one of a revision of Git. `Sendable`.
///
/// ```swift
/// import AllotDefinitions
///
/// let released = try DefinitionsLoader().load(DefinitionsPlace("main:Experiments")).plan
/// ```
public enum DefinitionsPlace: Sendable {
    /// A folder on disk, by its path.
    case folder(String)
    /// A folder in a revision of Git.
    case revision(GitFolder)

    /// Reads the name of a definitions folder as commands take it: the path of a folder, or `REVISION:DIR`.
    ///
    /// A folder that exists wins, even if its name holds a ":". A text that begins with "." or "/" is always a path.
    /// `DIR` starts at the top of the repository around the current folder; `./DIR` starts at the current folder.
    public init(_ text: String) throws(GitError) {
        guard !text.hasPrefix("."), !text.hasPrefix("/"), let colon = Self.colon(of: text), !OpenFolder.exists(text)
        else {
            self = .folder(text)
            return
        }
        self = .revision(
            try GitFolder(revision: String(text[..<colon]), path: String(text[text.utf8.index(after: colon)...])))
    }

    /// The folder as messages name it.
    public var name: String {
        switch self {
        case .folder(let path): path
        case .revision(let folder): folder.name
        }
    }

    /// The path of the folder from the top of its repository; empty for the top itself.
    package func pathInRepository() throws(GitError) -> String { try inGit().path }
    /// The folder for reports that name files from the top of its repository, if it is in one. Starts Git.
    package func repositoryFolder() -> RepositoryFolder { RepositoryFolder(name, path: try? pathInRepository()) }

    package func subfolder(_ folder: String) throws(GitError) -> DefinitionsPlace {
        switch self {
        case .folder(let path): .folder(path.hasSuffix("/") ? path + folder : "\(path)/\(folder)")
        case .revision(let parent): .revision(try parent.subfolder(folder))
        }
    }

    /// The folder of a revision; for a folder on disk that of `HEAD`.
    func inGit() throws(GitError) -> GitFolder {
        switch self {
        case .revision(let folder): folder
        case .folder: try GitFolder(revision: "HEAD", of: self)
        }
    }

    /// The first ":" that is not in braces, as in `main@{10:00}:Experiments`.
    static func colon(of text: String) -> String.Index? {
        var depth = 0
        return text.utf8.firstIndex { byte in
            switch byte {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            default: return byte == UInt8(ascii: ":") && depth <= 0
            }
            return false
        }
    }
}

extension DefinitionsLoader {
    /// Loads the definitions of a folder on disk or of a revision of Git.
    ///
    /// - Throws: `DefinitionsError` with every problem of every file, or ``GitError``.
    public func load(_ place: DefinitionsPlace) throws -> LoadedDefinitions {
        switch place {
        case .folder(let path): try load(folder: path)
        case .revision(let folder): try load(folder.content(limits: limits), folder: folder.name)
        }
    }
}
