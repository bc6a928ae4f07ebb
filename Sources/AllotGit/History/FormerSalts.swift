import AllotConfiguration
import AllotCore
import AllotDefinitions

/// The salts that experiments of a branch had and gave up. A new experiment with one of them repeats the old split.
///
/// The key of an experiment is its salt unless the file says otherwise, so the usual case is a file with the name of a
/// deleted one. A salt that goes from one experiment to another within one commit, as in a renamed file, stays in use;
/// so does one whose file comes back as it was.
package struct FormerSalts {
    /// A salt that came back after it was in no experiment.
    private struct Reuse {
        let former: Use
        /// The commit with which it came back; `nil` for the folder on disk.
        let commit: String?
    }

    /// The last experiment with a salt, and the commit that ended that.
    private struct Use {
        let experiment: String
        let file: String?
        let commit: FileChanges
    }

    private struct Definition {
        let salt: UTF8Key
        let file: String
        /// Whether units may have been assigned: not by a draft.
        var isUsed: Bool
    }

    private var files: [UTF8Key: Definition] = [:]
    private var counts: [UTF8Key: Int] = [:]
    private var ended: [UTF8Key: Use] = [:]
    private var reuses: [UTF8Key: [Reuse]] = [:]
    private let repository: GitRepository
    /// The number of commits that are looked at: of those of the branch, and of those that change the folder.
    private static let limits = (branch: 20_000, folder: 2_000)

    /// Reads the history of a folder; some of the present experiments may be on disk only.
    init(of folder: GitFolder, _ present: [ExperimentDefinition] = []) throws(GitError) {
        repository = folder.repository
        var reader = try GitFolderReader(repository, limits: DefinitionLimits())
        let tip = try folder.commit(&reader)
        let last = try repository.lines(of: [
            "rev-list", "--first-parent", "--skip=\(Self.limits.branch)", "--max-count=1", "--end-of-options", tip,
        ]).first
        var commits: [FileChanges] = []
        var (start, path) = (tip, folder.path)
        while commits.count < Self.limits.folder {
            commits += try repository.fileChanges(
                in: path, from: start, after: last, atMost: Self.limits.folder - commits.count)
            guard let first = commits.last, let parent = first.parent, parent != last,
                let former = try repository.formerName(of: path, in: first.id, after: parent, &reader),
                let name = String(validating: former, as: UTF8.self), !name.hasControlCharacters
            else { break }
            (start, path) = (parent, name)
        }
        let tree = ["ls-tree", "--name-only", "--end-of-options", "\(tip):\(folder.path)"]
        let committed = try present.isEmpty ? [] : repository.lines(of: tree)
        let keys = Set(committed.map { UTF8Key(Self.key(of: $0)) })
        try walk(commits.reversed(), present.filter { keys.contains(UTF8Key($0.key)) })
    }

    /// Goes through the commits. The files of committed experiments may be older.
    private mutating func walk(_ commits: [FileChanges], _ present: [ExperimentDefinition]) throws(GitError) {
        var objects = try GitObjects(repository)
        // Files of older commits: as they were before their first change, and files without one.
        var known: Set<UTF8Key> = []
        for change in commits.flatMap(\.files) where known.insert(UTF8Key(change.name)).inserted {
            guard let old = change.old else { continue }
            set(change.name, try Self.definition(change.name, old, &objects))
        }
        let keys = Set(known.map { UTF8Key(Self.key(of: $0.text)) })
        for experiment in present where !keys.contains(UTF8Key(experiment.key)) {
            if let salt = experiment.ownSalt { counts[UTF8Key(salt), default: 0] += 1 }
        }
        for commit in commits {
            let before = counts
            var touched: [UTF8Key: Use] = [:]
            for change in commit.files {
                if let former = files[UTF8Key(change.name)], former.isUsed {
                    touched[former.salt] = Use(experiment: Self.key(of: change.name), file: former.file, commit: commit)
                }
                guard let new = change.new else {
                    set(change.name, nil)
                    continue
                }
                guard let definition = try Self.definition(change.name, new, &objects) else { continue }
                set(change.name, definition)
                let use = Use(experiment: Self.key(of: change.name), file: definition.file, commit: commit)
                touched[definition.salt] = touched[definition.salt] ?? use
            }
            for (salt, use) in touched {
                let (wasUsed, isUsed) = (before[salt] ?? 0 > 0, counts[salt] ?? 0 > 0)
                if wasUsed, !isUsed { ended[salt] = use }
                if !wasUsed, isUsed { comeBack(salt, as: use.file, in: commit.id) }
            }
        }
    }

    private mutating func comeBack(_ salt: UTF8Key, as file: String?, in commit: String?) {
        guard let former = ended.removeValue(forKey: salt), former.file != file else { return }
        reuses[salt, default: []].append(Reuse(former: former, commit: commit))
    }

    private mutating func set(_ name: String, _ definition: Definition?) {
        var definition = definition
        let former = files[UTF8Key(name)]
        if let former, former.isUsed {
            counts[former.salt, default: 0] -= 1
            // An experiment that becomes a draft again has its units all the same.
            if former.salt == definition?.salt { definition?.isUsed = true }
        }
        if let definition, definition.isUsed { counts[definition.salt, default: 0] += 1 }
        files[UTF8Key(name)] = definition
    }

    private static func key(of file: String) -> String { file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file }

    /// Reads what decides the randomisation of an experiment. Returns `nil` for other files and unreadable ones.
    private static func definition(
        _ name: String, _ id: String, _ objects: inout GitObjects
    ) throws(GitError) -> Definition? {
        guard case .found(_, _, let bytes?) = try objects.read(id, limit: DefinitionLimits().fileBytes),
            case .object(let file)? = SourceTree(bytes, file: name).root?.json, file["variants"] != nil,
            file["unit"] != .string("none"), [nil, .string("sha256/1")].contains(file["hash"])
        else { return nil }
        let salt = if case .string(let text)? = file["salt"] { text } else { key(of: name) }
        return Definition(salt: UTF8Key(salt), file: id, isUsed: file["status"] != .string("draft"))
    }

    /// The warnings about experiments with a salt that is used again, by their keys. Empty where Git has no history.
    package static func warnings(about definitions: Definitions, in place: DefinitionsPlace) -> [String: String] {
        guard let folder = try? place.inGit(), var salts = try? FormerSalts(of: folder, definitions.experiments)
        else { return [:] }
        var warnings: [String: String] = [:]
        for experiment in definitions.experiments {
            guard let text = experiment.ownSalt else { continue }
            let salt = UTF8Key(text)
            if salts.counts[salt] ?? 0 <= 0, salts.ended[salt] != nil {
                salts.comeBack(salt, as: salts.file(of: experiment.key, in: place), in: nil)
            }
            if let reuse = salts.reuses[salt]?.last { warnings[experiment.key] = salts.text(experiment, reuse) }
        }
        return warnings
    }

    /// The warning about the commit with which a salt came back; `nil` for others.
    func warning(about experiment: ExperimentDefinition, in commit: String) -> String? {
        let reuses = experiment.ownSalt.flatMap { self.reuses[UTF8Key($0)] }
        return reuses?.first { $0.commit == commit }.map { text(experiment, $0) }
    }

    /// The object that the file of an experiment is in Git, or would be.
    private func file(of key: String, in place: DefinitionsPlace) -> String? {
        let known = files.filter { Self.key(of: $0.key.text) == key }
        guard case .folder(let path) = place else { return known.values.first?.file }
        let names = known.keys.map(\.text) + [".yaml", ".yml", ".json"].map { key + $0 }
        return names.lazy.compactMap { name in
            try? GitRepository(directory: path).lines(of: ["hash-object", "--", name]).first
        }.first
    }

    private func text(_ experiment: ExperimentDefinition, _ reuse: Reuse) -> String {
        let salt = experiment.ownSalt ?? experiment.key
        let former = reuse.former
        let next = (2...).lazy.map { "\(salt).\($0)" }.first { counts[UTF8Key($0)] == nil }.flatMap {
            Salt.isValid($0) ? $0 : nil
        }
        let what = UTF8Order.areEqual(salt, experiment.key) ? "key" : "salt"
        let last = "\(former.commit.id.prefix(Commit.shownDigits)) of \(former.commit.committed)"
        return "a \(what) that is used again repeats the old split: \(QuotedText(salt)) was the salt of "
            + "\(PrintableText(former.experiment)) until \(last), and each unit has the bucket again that it had "
            + "there; give it a new salt" + (next.map { ", such as salt: \($0)" } ?? "")
    }
}

extension ExperimentDefinition {
    /// The salt of a randomisation of its own; `nil` without one, and for another system's hash.
    fileprivate var ownSalt: String? {
        guard let draw, case .sha256(let salt) = draw.hash else { return nil }
        return "\(salt)"
    }
}

/// The changes of a commit directly in a folder.
struct FileChanges {
    let id: String
    let parent: String?
    let committed: Instant
    /// The files by name, with their former and new objects; `nil` where they do not exist.
    var files: [(name: String, old: String?, new: String?)] = []
}

extension GitRepository {
    /// The commits that changed definitions directly in a folder, along first parents, the last one first.
    fileprivate func fileChanges(
        in path: String, from start: String, after last: String?, atMost limit: Int
    ) throws(GitError) -> [FileChanges] {
        let options = [
            "log", "-z", "--raw", "--no-abbrev", "--no-renames", "--first-parent", "--diff-merges=first-parent",
            "--root", "--no-show-signature", "--no-color", "--max-count=\(limit)",
            "--format=tformat:%x02%H%x00%P%x00%ct",
        ]
        let paths = ["--", path.isEmpty ? ":(top,glob)*" : ":(top,literal)\(path)"]
        let bytes = try output(of: options + (last.map { ["^\($0)"] } ?? []) + ["--end-of-options", start] + paths)
        let fields = bytes.split(separator: 0, omittingEmptySubsequences: false)
        var commits: [FileChanges] = []
        var index = 0
        while index < fields.count {
            let words = String(decoding: fields[index], as: UTF8.self).split { $0 == " " || $0 == "\n" }.map(
                String.init)
            if fields[index].first == 2, index + 2 < fields.count {
                let parents = String(decoding: fields[index + 1], as: UTF8.self).split(separator: " ")
                let seconds = Int64(String(decoding: fields[index + 2], as: UTF8.self))
                commits.append(
                    FileChanges(
                        id: String(words[0].dropFirst()), parent: parents.first.map(String.init),
                        committed: Self.instant(seconds ?? 0)))
                index += 3
            } else if words.count == 5, index + 1 < fields.count {
                let (folder, name) = Self.parts(of: fields[index + 1])
                if folder.elementsEqual(path.utf8), DefinitionsFolder.reads(name), !commits.isEmpty {
                    let ids = [words[2], words[3]].map { $0.allSatisfy { $0 == "0" } ? nil : $0 }
                    commits[commits.count - 1].files.append((name, ids[0], ids[1]))
                }
                index += 2
            } else {
                index += 1
            }
        }
        return commits
    }
}
