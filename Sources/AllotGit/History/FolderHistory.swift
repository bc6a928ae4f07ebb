import AllotConfiguration
import AllotCore
import AllotDefinitions

/// The commits of a branch that changed a folder, also under its former names.
struct FolderHistory {
    typealias State = (commit: Commit, path: String)

    /// The first one first.
    let states: [State]
    /// A note about a former name of the folder that cannot be followed.
    let note: String?

    /// Complexity: two runs of Git for each name of the folder, and one read of the folder for each commit.
    init(of folder: GitFolder, from commit: String, _ reader: inout GitFolderReader) throws(GitError) {
        var states: [State] = []
        var note: String?
        var (start, path) = (commit, folder.path)
        while true {
            let commits = try folder.repository.commits(from: start, changing: path)
            guard let move = try folder.repository.lastMove(to: path, among: commits, &reader) else {
                states += commits.map { ($0, path) }
                break
            }
            states += commits[...move.index].map { ($0, path) }
            guard let name = String(validating: move.former, as: UTF8.self), !name.hasControlCharacters else {
                let shown = PrintableText(String(decoding: move.former, as: UTF8.self))
                note = "before \(commits[move.index].shortID) the folder had a name that is not followed: \(shown)"
                break
            }
            (start, path) = (move.parent, name)
        }
        self.states = states.reversed()
        self.note = note
    }
}

extension GitRepository {
    /// The last of the commits, in descending order, that moved a folder to this path.
    fileprivate func lastMove(
        to path: String, among commits: [Commit], _ reader: inout GitFolderReader
    ) throws(GitError) -> (index: Int, parent: String, former: [UInt8])? {
        for (index, commit) in commits.enumerated() {
            guard let parent = commit.parent, try reader.definitionCount(path, in: parent) == 0,
                let former = try formerName(of: path, in: commit.id, after: parent, &reader)
            else { continue }
            return (index, parent, former)
        }
        return nil
    }

    /// The folder from which a commit moved at least half of the definitions, and left none; `nil` if there is none.
    func formerName(
        of path: String, in commit: String, after parent: String, _ reader: inout GitFolderReader
    ) throws(GitError) -> [UInt8]? {
        let bytes = try output(of: [
            "diff-tree", "-r", "-z", "-M", "--name-status", "--diff-filter=R", "--end-of-options", parent, commit,
        ])
        let fields = bytes.split(separator: 0)
        var counts: [[UInt8]: Int] = [:]
        // For each file the kind of change, the old name and the new one.
        for index in stride(from: 0, to: fields.count - 2, by: 3) {
            let (new, old) = (Self.parts(of: fields[index + 2]), Self.parts(of: fields[index + 1]))
            if new.folder.elementsEqual(path.utf8), DefinitionsFolder.reads(new.name) {
                counts[Array(old.folder), default: 0] += 1
            }
        }
        let most = counts.max { ($0.value, $1.key.count) < ($1.value, $0.key.count) }
        guard let most, try 2 * most.value >= reader.definitionCount(path, in: commit),
            let former = String(validating: most.key, as: UTF8.self)
        else { return most.flatMap { String(validating: $0.key, as: UTF8.self) == nil ? $0.key : nil } }
        return try reader.definitionCount(former, in: commit) == 0 ? most.key : nil
    }

    static func parts(of file: ArraySlice<UInt8>) -> (folder: ArraySlice<UInt8>, name: String) {
        guard let slash = file.lastIndex(of: UInt8(ascii: "/"))
        else { return ([], String(decoding: file, as: UTF8.self)) }
        return (file[..<slash], String(decoding: file[(slash + 1)...], as: UTF8.self))
    }
}

/// Loads the states of a folder one after another, and compares each with the last one that could be loaded.
struct FolderWalk: ~Copyable {
    enum Step {
        case same
        case broken([DefinitionProblem])
        /// Another plan, which is empty for a folder that does not exist.
        case changed(from: Plan, to: Plan)
    }

    private(set) var plan = Self.empty
    let folder: GitFolder
    let history: FolderHistory
    private var reader: GitFolderReader
    private var tree: String?
    private let limits: DefinitionLimits

    /// Finds the states of a folder of a branch; for a folder on disk it is that of `HEAD`.
    init(of place: DefinitionsPlace, _ limits: DefinitionLimits) throws(GitError) {
        let folder = try place.inGit()
        var reader = try GitFolderReader(folder.repository, limits: limits)
        let history = try FolderHistory(of: folder, from: folder.commit(&reader), &reader)
        (self.folder, self.history) = (folder, history)
        self.reader = reader
        var limits = limits
        // That a folder was empty for a while is part of its history.
        limits.allowsEmpty = true
        self.limits = limits
    }

    mutating func step(to state: FolderHistory.State) throws -> Step {
        let old = plan
        switch try reader.folder(state.path, in: state.commit.id) {
        case .tree(let id, let entries):
            guard id != tree else { return .same }
            tree = id
            do {
                let loader = DefinitionsLoader(now: state.commit.committed, limits: limits)
                let content = try reader.content(of: entries)
                plan = try loader.load(content, folder: "\(state.commit.shortID):\(state.path)").plan
            } catch DefinitionsError.invalid(let problems) { return .broken(problems) }
        case .file, .missing:
            tree = nil
            plan = Self.empty
        }
        return .changed(from: old, to: plan)
    }

    private static var empty: Plan {
        Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: []))
    }
}
