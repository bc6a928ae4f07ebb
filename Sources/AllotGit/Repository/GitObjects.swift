import AllotCore

/// The objects of a repository, read by one `git cat-file --batch`.
struct GitObjects: ~Copyable {
    private var process: GitProcess

    enum Object {
        /// The type is `commit`, `tree`, `blob` or `tag`; the content is `nil` if it is too large.
        case found(id: String, type: String, content: [UInt8]?)
        /// An object that does not exist, or is not in this clone.
        case missing
        case ambiguous
    }

    init(_ repository: GitRepository) throws(GitError) {
        process = try GitProcess(in: repository, ["cat-file", "--batch"], takesInput: true)
    }

    /// Reads an object by its name for Git, such as `main^{commit}` or `main:Experiments`, up to a size in bytes.
    mutating func read(_ name: String, limit: Int) throws(GitError) -> Object {
        // A line feed would make two requests of it.
        guard !name.hasControlCharacters else { return .missing }
        try process.send(name)
        let line = String(decoding: try process.line(), as: UTF8.self)
        if line == "\(name) ambiguous" { return .ambiguous }
        let words = line.split(separator: " ")
        // A missing object's name comes back, whatever words it has; so does that of a submodule.
        guard words.count == 3, let size = Int(words[2]), line != "\(name) missing" else { return .missing }
        let content = try process.bytes(size, limit: limit)
        _ = try process.bytes(1, limit: 1)
        return .found(id: String(words[0]), type: String(words[1]), content: content)
    }
}

struct GitTreeEntry {
    /// The kind: 0o40000 for a folder, 0o120000 for a symbolic link, 0o160000 for a submodule, and others for files.
    let mode: Int
    let name: [UInt8]
    let id: String

    /// The entries of a tree object, whose identifiers are as long as its own.
    static func entries(of tree: [UInt8], id: String) throws(GitError) -> [GitTreeEntry] {
        let idSize = id.utf8.count / 2
        var entries: [GitTreeEntry] = []
        var rest = tree[...]
        while !rest.isEmpty {
            guard let space = rest.firstIndex(of: UInt8(ascii: " ")), let null = rest[space...].firstIndex(of: 0),
                let mode = Int(String(decoding: rest[..<space], as: UTF8.self), radix: 8),
                null + idSize < rest.endIndex
            else { throw GitError("the tree \(id) is damaged; check the repository with git fsck") }
            let digits = rest[(null + 1)...(null + idSize)]
            entries.append(
                GitTreeEntry(mode: mode, name: Array(rest[(space + 1)..<null]), id: SHA256.hexadecimal(Array(digits))))
            rest = rest[(null + idSize + 1)...]
        }
        return entries
    }
}

extension String {
    /// Whether a character of it would end a line or move a cursor.
    var hasControlCharacters: Bool { unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f } }
}
