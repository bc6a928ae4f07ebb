import AllotConfiguration
import AllotCore
import Foundation
import TestSupport
import Testing

@testable import AllotDefinitions

/// Changes of definitions that are written.
struct DefinitionsEditTests {
    private static let base = "config_sections: { Shop: { settings: { A: { value: 1 } } } } # all\n"

    /// A folder with a manifest, and a change of its base.
    private func change(in folder: TemporaryFolder) throws -> DefinitionsEdit {
        try EditableDefinitions(folder: folder.path, loader: .fixed).editing("Shop", "A", .value(2)).edit
    }

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder(["base.yaml": Self.base])
        _ = try DefinitionsLoader.fixed.loadWritingManifest(folder: folder.path)
        return folder
    }

    /// What the folder has: the names, and the bytes of each file.
    private func content(_ folder: TemporaryFolder) throws -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: try folder.names().map { ($0, try folder.bytes($0)) })
    }

    @Test("A change is written with the manifest, once")
    func writes() throws {
        let folder = try folder()
        let change = try change(in: folder)
        #expect(change.message == "Set Shop.A to 2")
        try change.write()
        #expect(try folder.text("base.yaml") == Self.base.replacing("1", with: "2"))
        #expect(DefinitionsLoader.fixed.lines(in: folder) == [])
        let after = try content(folder)
        let failure = #expect(throws: DefinitionsEdit.Failure.self) { try change.write() }
        #expect(failure?.isTemporary == false)
        #expect(try content(folder) == after)
    }

    @Test("A file that another program changed, removed or replaced is not written", arguments: 0..<4)
    func changed(way: Int) throws {
        let folder = try folder()
        let change = try change(in: folder)
        let path = folder.path("base.yaml")
        switch way {
        case 0: try folder.write(Self.base + "# more\n", to: "base.yaml")
        case 1: try folder.write("", to: "MANIFEST.sha256")
        case 2: try FileManager.default.removeItem(atPath: path)
        default:
            try FileManager.default.removeItem(atPath: path)
            try #require(mkfifo(path, 0o600) == 0)
        }
        let names = try folder.names()
        let failure = #expect(throws: DefinitionsEdit.Failure.self) { try change.write() }
        #expect(failure?.isTemporary == false)
        #expect(try folder.names() == names)
        if way == 0 { #expect(try folder.text("base.yaml").hasSuffix("# more\n")) }
    }

    @Test("If the last step fails, everything is as it was")
    func failingStep() throws {
        let folder = try folder()
        let before = try content(folder)
        let change = try change(in: folder)
        let failure = #expect(throws: DefinitionsEdit.Failure.self) {
            try change.write { () throws(DefinitionsEdit.Failure) -> Void in throw DefinitionsEdit.Failure("no") }
        }
        #expect(failure?.description == "no")
        #expect(try content(folder) == before)
        try change.write()
    }

    @Test("While another process has the folder's lock, nothing is written")
    func locked() throws {
        let folder = try folder()
        let change = try change(in: folder)
        let other = open(folder.path, O_RDONLY)
        try #require(flock(other, LOCK_EX) == 0)
        let failure = #expect(throws: DefinitionsEdit.Failure.self) { try change.write() }
        #expect(failure?.isTemporary == true)
        #expect(try folder.text("base.yaml") == Self.base)
        close(other)
        try change.write()
    }
}
