import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AllotDefinitions

/// A folder that changes while it is read, at a moment that the tests choose.
struct FolderStateTests {
    private static let names = (0..<4).map { "e\($0).yaml" }

    /// Writes one version of all files.
    private func write(_ version: String, to folder: TemporaryFolder, _ prefix: String = "") throws {
        for name in Self.names { _ = try folder.write(version, to: prefix + name) }
    }

    /// The contents of the files that were read.
    private func read(_ path: String, willRead: @escaping @Sendable (String?) -> Void = { _ in }) throws -> [String] {
        try DefinitionsFolder.read(path, limits: DefinitionLimits(), willRead: willRead).sources
            .map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private func link(_ path: String, to target: String) throws {
        try #require(symlink(target, path + ".new") == 0)
        try #require(rename(path + ".new", path) == 0)
    }

    /// The moments of a reading: before each file, and after the last.
    static let moments: [String?] = names + [nil]

    @Test(
        "A folder behind a link that is swapped is read as a whole, and not in part if it is deleted then",
        arguments: moments, [false, true])
    func linkedFolder(_ moment: String?, isDeleted: Bool) throws {
        let folder = try TemporaryFolder()
        try write("old", to: folder, "1/")
        try write("new", to: folder, "2/")
        let path = folder.path("current")
        try link(path, to: "1")
        let contents = try read(path) { next in
            guard next == moment else { return }
            try? link(path, to: "2")
            if isDeleted { try? FileManager.default.removeItem(atPath: folder.path("1")) }
        }
        #expect(contents == Array(repeating: isDeleted ? "new" : "old", count: 4))
        // The swap is noticed: the state that was read is not that of the path.
        #expect(try read(path) == ["new", "new", "new", "new"])
    }

    /// A folder as Kubernetes mounts a ConfigMap: each file is a link through `..data`, which is swapped.
    private func mountedFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try write("old", to: folder, "..1/")
        try write("new", to: folder, "..2/")
        try link(folder.path("..data"), to: "..1")
        for name in Self.names { try link(folder.path(name), to: "..data/\(name)") }
        return folder
    }

    @Test("Files behind a link that is swapped are read as a whole", arguments: moments)
    func linkedFiles(_ moment: String?) throws {
        let folder = try mountedFolder()
        let isSwapped = Atomic(false)
        #expect(
            try read(folder.path) { next in
                guard next == moment, !isSwapped.exchange(true, ordering: .relaxed) else { return }
                try? link(folder.path("..data"), to: "..2")
            } == ["new", "new", "new", "new"])
    }

    @Test("A link that is swapped there and back in the meantime does not give a mixture")
    func linkThereAndBack() throws {
        let folder = try mountedFolder()
        let readings = Atomic(0)
        #expect(
            try read(folder.path) { next in
                if next == nil { readings.add(1, ordering: .relaxed) }
                guard readings.load(ordering: .relaxed) == 0 else { return }
                try? link(folder.path("..data"), to: next == "e1.yaml" ? "..2" : "..1")
            } == ["old", "old", "old", "old"])
        #expect(readings.load(ordering: .relaxed) == 2)
    }

    /// How a folder can change.
    enum Change: String, CaseIterable { case inPlace, replaced, added, removed, linked }

    @Test("A folder that changes after it was read is read again", arguments: Change.allCases)
    func changed(_ change: Change) throws {
        let folder = try TemporaryFolder()
        try write("old", to: folder)
        let readings = Atomic(0)
        let contents = try read(folder.path) { next in
            guard next == nil, readings.add(1, ordering: .relaxed).newValue == 1 else { return }
            switch change {
            case .inPlace: _ = try? folder.write("longer", to: "e0.yaml")
            case .replaced:
                _ = try? folder.write("new", to: "next")
                rename(folder.path("next"), folder.path("e0.yaml"))
            case .added: _ = try? folder.write("new", to: "e9.json")
            case .removed: unlink(folder.path("e0.yaml"))
            case .linked: symlink("e0.yaml", folder.path("link.yaml"))
            }
        }
        #expect(readings.load(ordering: .relaxed) == 2)
        let old = ["old", "old", "old"]
        switch change {
        case .inPlace: #expect(contents == ["longer"] + old)
        case .replaced: #expect(contents == ["new"] + old)
        case .added: #expect(contents == old + ["old", "new"])
        case .removed: #expect(contents == old)
        case .linked: #expect(contents == old + ["old", "old"])
        }
    }

    @Test("A folder that is large enough for several threads is read as a small one is")
    func largeFolder() throws {
        let folder = try TemporaryFolder()
        let names = (100..<700).map { "e\($0).yaml" }
        let text = "status: running\nvariants: [{ key: a }, { key: b }]\n"
        for name in names { _ = try folder.write(text + "# \(name)\n", to: name) }
        try #require(mkdir(folder.path("e400.json"), 0o700) == 0)
        let readings = Atomic(0)
        let content = try DefinitionsFolder.read(folder.path, limits: DefinitionLimits()) { next in
            guard next == nil, readings.add(1, ordering: .relaxed).newValue == 1 else { return }
            _ = try? folder.write(text + "# changed\n", to: "e300.yaml")
        }
        #expect(readings.load(ordering: .relaxed) == 2)
        #expect(content.sources.map(\.name) == names)
        #expect(content.unread.map(\.name) == ["e400.json"])
        let contents = content.sources.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(contents == names.map { text + ($0 == "e300.yaml" ? "# changed\n" : "# \($0)\n") })

        try #require(rmdir(folder.path("e400.json")) == 0)
        let loader = DefinitionsLoader.fixed
        var signature: FolderSignature?
        var cache = LoadCache()
        func load() throws -> LoadedDefinitions {
            try loader.load(folder: folder.path, signature: &signature, cache: &cache)
        }
        #expect(try load().plan.revision == loader.load(content.sources).plan.revision)
        _ = try folder.write("status: nonsense", to: "e500.yaml")
        #expect(throws: DefinitionsError.self) { try load() }
        #expect(signature == FolderSignature(path: folder.path))
        _ = try folder.write(text, to: "e500.yaml")
        #expect(try load().plan.experiments.map(\.key) == names.map { String($0.dropLast(5)) })
        #expect(signature == FolderSignature(path: folder.path))
    }

    @Test("A folder that never keeps still is an error")
    func alwaysChanging() throws {
        let folder = try TemporaryFolder()
        try write("old", to: folder)
        let readings = Atomic(0)
        #expect {
            _ = try read(folder.path) { next in
                guard next == nil else { return }
                let count = readings.add(1, ordering: .relaxed).newValue
                _ = try? folder.write(String(repeating: "new", count: count + 1), to: "e0.yaml")
            }
        } throws: { error in
            "\(error)"
                == "the definitions folder \(folder.path) changes while it is read; try again when all its files are "
                + "written"
        }
    }

    @Test("Files that are not read may be written at any time")
    func otherFiles() throws {
        let folder = try TemporaryFolder()
        try write("old", to: folder)
        let readings = Atomic(0)
        let signature = FolderSignature(path: folder.path)
        _ = try read(folder.path) { next in
            if next == nil { readings.add(1, ordering: .relaxed) }
            for name in [".e0.yaml.swp", "allot.sqlite-wal", "README.md", "tests/a.yaml"] {
                _ = try? folder.write("\(readings.load(ordering: .relaxed))", to: name)
            }
        }
        #expect(readings.load(ordering: .relaxed) == 1)
        #expect(FolderSignature(path: folder.path) == signature)
    }

    @Test("The state that was loaded is the one that is found again, with errors too")
    func signatures() throws {
        let folder = try TemporaryFolder()
        try write("status: nonsense", to: folder)
        try #require(symlink("nothing", folder.path("dangling.yaml")) == 0)
        try #require(mkfifo(folder.path("pipe.yaml"), 0o600) == 0)
        try #require(mkdir(folder.path("folder.yaml"), 0o700) == 0)
        var signature: FolderSignature?
        var cache = LoadCache()
        #expect(throws: DefinitionsError.self) {
            try DefinitionsLoader.fixed.load(folder: folder.path, signature: &signature, cache: &cache)
        }
        #expect(signature == FolderSignature(path: folder.path))
        let none = folder.path("none")
        #expect(throws: DefinitionsError.self) {
            try DefinitionsLoader.fixed.load(folder: none, signature: &signature, cache: &cache)
        }
        #expect(signature == FolderSignature(path: none))
        #expect(signature != FolderSignature(path: folder.path))
    }
}
