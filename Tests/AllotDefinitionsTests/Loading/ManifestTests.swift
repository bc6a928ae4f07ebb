import AllotCore
import Foundation
import TestSupport
import Testing

@testable import AllotDefinitions

struct ManifestTests {
    private static let fix = "; wait until the folder is copied completely, or write the manifest anew with allot check"

    private func source(_ name: String, _ text: String) -> DefinitionSource {
        DefinitionSource(name: name, bytes: Array(text.utf8))
    }

    /// What is wrong with files according to a manifest, by the names of the files, without the fix.
    private func differences(_ sources: [DefinitionSource], _ manifest: [UInt8], unread: [String] = []) -> [String] {
        let content = DefinitionsFolder.Content(
            sources: sources, unread: unread.map { UnreadFile(name: $0, message: "") }, manifest: manifest)
        return DefinitionsManifest.problems(of: content, in: "F").map(\.description).sorted().map { line in
            #expect(line.hasSuffix(Self.fix))
            return line.replacing(Self.fix, with: "")
        }
    }

    @Test("The manifest is as sha256sum writes it")
    func format() throws {
        let manifest = DefinitionsManifest([source("b.yaml", ""), source("B.json", "abc")])
        #expect(
            String(decoding: manifest.bytes, as: UTF8.self) == """
                ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  B.json
                e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b.yaml

                """)
        let capitals = String(decoding: manifest.bytes, as: UTF8.self).uppercased()
            .replacing("  B.JSON", with: " *B.json").replacing("  B.YAML", with: " *b.yaml").dropLast()
        #expect(differences([source("b.yaml", ""), source("B.json", "abc")], Array(capitals.utf8)) == [])
    }

    @Test("Any single file that is missing, changed or added is named", arguments: 0..<20)
    func singleDifferences(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sources = (0...Int.random(in: 0..<12, using: &random)).map { number in
            source("e\(number).yaml", String(repeating: "x", count: .random(in: 1..<200, using: &random)))
        }
        let manifest = DefinitionsManifest(sources).bytes
        #expect(differences(sources.shuffled(using: &random), manifest) == [])
        for (index, original) in sources.enumerated() {
            var rest = sources
            rest.remove(at: index)
            let path = "F/\(original.name): error: "
            #expect(differences(rest, manifest) == [path + "the file is missing"])
            #expect(differences(rest, manifest, unread: [original.name]) == [])
            var bytes = original.bytes
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let cut = Array(original.bytes.dropLast(.random(in: 1...original.bytes.count, using: &random)))
            for bytes in [bytes, cut, original.bytes + [0]] {
                let changed = rest + [DefinitionSource(name: original.name, bytes: bytes)]
                #expect(differences(changed, manifest) == [path + "the file's checksum differs from MANIFEST.sha256"])
            }
            let added = source("a\(index).json", "{}")
            #expect(
                differences(sources + [added], manifest)
                    == ["F/\(added.name): error: MANIFEST.sha256 does not name this file"])
        }
    }

    @Test("A manifest that is cut off anywhere is not one of the folder")
    func cutManifests() {
        let sources = [source("a.yaml", "1"), source("b.yaml", "2"), source("c.yaml", "3")]
        let manifest = DefinitionsManifest(sources).bytes
        for count in 0..<manifest.count - 1 {
            #expect(!differences(sources, Array(manifest.prefix(count))).isEmpty, "\(count)")
        }
        #expect(differences(sources, manifest.dropLast()) == [])
    }

    @Test(
        "A line that is not one of a manifest is named",
        arguments: [
            "", "a.yaml", "\(digest)", "\(digest)  ", "\(digest) a.yaml", "\(digest)   a.yaml ", "\(digest)\ta.yaml",
            "\(digest)-  a.yaml", "\\\(digest)  a.yaml", "\(digest.dropLast())g  a.yaml", "\(digest)  b.yaml",
            "\(digest)  \u{0}\u{FFFD}",
        ])
    func malformedLines(_ line: String) {
        let lines = Array("\(Self.digest)  b.yaml\n\(line)\n\(Self.digest)  c.yaml\n".utf8)
        let problems = differences([source("b.yaml", ""), source("c.yaml", "")], lines)
        if line.hasPrefix("\(Self.digest)  "), line != "\(Self.digest)  ", !line.hasSuffix("  b.yaml") {
            #expect(problems.count == 1)
            #expect(problems.first?.contains("MANIFEST.sha256 names this file") == true, "\(problems)")
        } else {
            #expect(
                problems == [
                    "F/MANIFEST.sha256:2:1: error: the line is not 64 hexadecimal digits, two spaces and a name that "
                        + "no other line has"
                ])
        }
    }

    private static let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    // MARK: Folders

    @Test("A folder with a manifest has to have exactly its files")
    func folders() throws {
        let draft = "status: draft\nvariants: [{ key: a }]"
        let folder = try TemporaryFolder(["a.yaml": draft, "b.yaml": draft, "c.yaml": draft, "README.md": "none"])
        _ = try DefinitionsLoader.fixed.loadWritingManifest(folder: folder.path)
        #expect(DefinitionsLoader.fixed.lines(in: folder) == [])
        try folder.write("status: nonsense", to: "a.yaml")
        unlink(folder.path("b.yaml"))
        try folder.write("", to: "d.json")
        // The mistake in a.yaml is not reported as well: there may be no mistake in the whole folder.
        #expect(
            DefinitionsLoader.fixed.lines(in: folder) == [
                "a.yaml: error: the file's checksum differs from MANIFEST.sha256" + Self.fix,
                "b.yaml: error: the file is missing" + Self.fix,
                "d.json: error: MANIFEST.sha256 does not name this file" + Self.fix,
            ])
        // Only a folder without errors gets a manifest.
        let before = try folder.text("MANIFEST.sha256")
        #expect(throws: DefinitionsError.self) { try DefinitionsLoader.fixed.loadWritingManifest(folder: folder.path) }
        #expect(try folder.text("MANIFEST.sha256") == before)
        unlink(folder.path("d.json"))
        try folder.write("status: draft\nvariants: [{ key: b }]", to: "a.yaml")
        _ = try DefinitionsLoader.fixed.loadWritingManifest(folder: folder.path)
        #expect(DefinitionsLoader.fixed.lines(in: folder) == [])
    }

    @Test("A manifest that cannot be read is an error, and not the same as none")
    func unreadableManifests() throws {
        let folder = try TemporaryFolder(["a.yaml": "status: draft\nvariants: [{ key: a }]"])
        try #require(mkdir(folder.path("MANIFEST.sha256"), 0o700) == 0)
        let start = "MANIFEST.sha256: error: "
        let lines = { DefinitionsLoader.fixed.lines(in: folder) }
        #expect(lines() == [start + "this is a folder, not a manifest; rename it"])
        try #require(rmdir(folder.path("MANIFEST.sha256")) == 0)
        try #require(symlink("none", folder.path("MANIFEST.sha256")) == 0)
        #expect(lines() == [start + "this symbolic link points to nothing; fix or remove it"])
    }

    @Test("Editing a definition writes the manifest too, if there is one")
    func editing() throws {
        let folder = try TemporaryFolder(["button.yaml": "status: running\nvariants:\n  - key: a\n  - key: b\n"])
        var edit = ExperimentEdit()
        for hasManifest in [false, true] {
            if hasManifest { _ = try DefinitionsLoader.fixed.loadWritingManifest(folder: folder.path) }
            edit.traffic = .constant(hasManifest ? 100_000 : 200_000)
            let editable = try EditableDefinitions(folder: folder.path, loader: .fixed)
            try editable.editing("button", edit).edit.write()
            #expect(DefinitionsLoader.fixed.lines(in: folder) == [])
            #expect(try Plan.load(folder: folder.path).experiments[0].traffic == edit.traffic)
            #expect(try folder.names().contains("MANIFEST.sha256") == hasManifest)
        }
    }
}
