import SystemLibrary
import TestSupport
import Testing

@testable import AllotFiles

struct OutputRulesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func output(_ rules: OutputRules, isUnnamedAllowed: Bool) throws -> AtomicOutput {
        try AtomicOutput(
            path: folder.path("key"), option: "--key", rules: rules, isUnnamedAllowed: isUnnamedAllowed)
    }

    @Test("Only its owner may read a private file, even if it replaces another", arguments: [true, false])
    func privateFilesAreTheOwnersAlone(isUnnamedAllowed: Bool) throws {
        let rules = OutputRules(isPrivate: true)
        for _ in 0..<2 {
            let output = try output(rules, isUnnamedAllowed: isUnnamedAllowed)
            try output.write([1])
            try output.commit()
            #expect(try folder.mode("key") == 0o600)
            // The next one replaces a file that everybody may read.
            chmod(folder.path("key"), 0o644)
        }
        #expect(try folder.names() == ["key"])
    }

    @Test("A file is not replaced if that is not allowed", arguments: [true, false])
    func filesStayWhereNothingMayBeReplaced(isUnnamedAllowed: Bool) throws {
        let rules = OutputRules(mayReplace: false)
        let late = try output(rules, isUnnamedAllowed: isUnnamedAllowed)
        try late.write([1])
        // Somebody else was faster.
        try folder.write([2], to: "key")
        #expect(try #require(throws: FileError.self) { try late.commit() }.code == .exists)
        #expect(
            try #require(throws: FileError.self) {
                _ = try output(rules, isUnnamedAllowed: isUnnamedAllowed)
            }.code == .exists)
        #expect(try folder.bytes("key") == [2])
    }

    @Test("A new file appears complete if nothing may be replaced", arguments: [true, false])
    func newFilesAppearWhole(isUnnamedAllowed: Bool) throws {
        do {
            let output = try output(OutputRules(mayReplace: false), isUnnamedAllowed: isUnnamedAllowed)
            try output.write([1, 2])
            #expect(try !folder.names().contains("key"))
            try output.commit()
        }
        #expect(try folder.bytes("key") == [1, 2])
        #expect(try folder.names() == ["key"])
    }
}
