/// The commits of a branch that changed a folder, also under the names that it had before.
struct FolderHistory {
    /// A commit, and where the folder is in it.
    struct State {
        let commit: Commit
        let path: String
    }

    /// The first one first.
    let states: [State]

    /// Complexity: two runs of Git for each name of the folder.
    init(of folder: GitFolder, from commit: String) throws(GitError) {
        var states: [State] = []
        var (start, path) = (commit, folder.path)
        while true {
            let commits = try folder.repository.commits(from: start, changing: path)
            states += commits.map { State(commit: $0, path: path) }
            guard let first = commits.last, let parent = first.parent, !path.isEmpty,
                let former = try folder.repository.formerName(of: path, in: first.id, after: parent)
            else { break }
            (start, path) = (parent, former)
        }
        self.states = states.reversed()
    }
}

extension GitRepository {
    /// The folder from which a commit moved the files of another one, or most of them; `nil` if the commit made the
    /// folder anew.
    fileprivate func formerName(of path: String, in commit: String, after parent: String) throws(GitError) -> String? {
        let bytes = try output(of: [
            "diff-tree", "-r", "-z", "-M", "--name-status", "--diff-filter=R", "--end-of-options", parent, commit,
        ])
        let fields = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        var counts: [String: Int] = [:]
        // For each file the kind of change, the old name and the new one.
        for index in stride(from: 0, to: fields.count - 2, by: 3) where Self.folder(of: fields[index + 2]) == path {
            counts[Self.folder(of: fields[index + 1]), default: 0] += 1
        }
        counts[path] = nil
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    private static func folder(of file: String) -> String {
        file.split(separator: "/").dropLast().joined(separator: "/")
    }
}
