import AllotDefinitions
import Foundation
import Logging
import Testing

@testable import AllotServing

struct DefinitionsReloaderTests {
    private let folder: ServerFolder
    private let log = LogRecord(.info)
    private let reloader: DefinitionsReloader

    init() throws {
        let log = log
        folder = try ServerFolder()
        reloader = try DefinitionsReloader(
            folder: folder.definitions, logger: Logger(label: "test", factory: { _ in log }))
    }

    /// The lines about the definitions as a whole.
    private var results: [String] { log.lines.filter { $0.hasPrefix("definitions ") } }

    /// The number of lines with a text.
    private func count(_ text: String) -> Int {
        log.lines.count { $0.contains(text) }
    }

    private func poll(_ count: Int) {
        var previous: FolderSignature?
        for _ in 0..<count { previous = reloader.poll(previous) }
    }

    @Test("A folder that stays as it is is not loaded again")
    func unchangedFolder() throws {
        poll(5)
        #expect(results == ["definitions loaded"])
        reloader.load()
        poll(5)
        #expect(results == ["definitions loaded", "definitions unchanged"])
    }

    @Test("Each failure is logged once, and leaves the plan as it is")
    func failuresAreLoggedOnce() throws {
        let revision = reloader.plans.current.plan.revision
        for name in Fixture.files.keys { unlink(folder.path("definitions/\(name)")) }
        poll(10)
        #expect(count("definitions not replaced") == 1)
        #expect(count("defines no setting and no experiment") == 1)
        #expect(log.lines.contains { $0.contains("/definitions: error: ") && $0.contains("add allow_empty") })
        #expect(reloader.plans.failure?.problemCount == 1)
        #expect(reloader.plans.failure?.problems.contains { $0.contains(folder.definitions) } == false)
        // A volume that is not mounted.
        try #require(rename(folder.definitions, folder.path("away")) == 0)
        poll(10)
        #expect(count("definitions not replaced") == 2)
        #expect(count("cannot read the definitions folder") == 1)
        try #require(mkdir(folder.definitions, 0o700) == 0)
        poll(10)
        #expect(count("definitions not replaced") == 3)
        // A signal has it logged again.
        reloader.load()
        #expect(count("definitions not replaced") == 4)
        #expect(reloader.plans.current.plan.revision == revision)
        try folder.writeDefinitions("definitions")
        poll(10)
        #expect(count("definitions unchanged") == 1)
        #expect(reloader.plans.failure == nil)
    }

    @Test("A half-copied folder with a manifest changes nothing", arguments: [true, false])
    func halfCopiedFolder(isManifestFirst: Bool) throws {
        let changes = ["button.yaml": Fixture.changedButton, "new.yaml": "status: draft\nvariants: [{ key: a }]"]
        try folder.writeDefinitions("next-definitions", changes)
        for name in ["definitions", "next-definitions"] {
            _ = try DefinitionsLoader().loadWritingManifest(folder: folder.path(name))
        }
        let revision = reloader.plans.current.plan.revision
        let files = ["button.yaml", "new.yaml"]
        let names = isManifestFirst ? ["MANIFEST.sha256"] + files : files + ["MANIFEST.sha256"]
        for name in names {
            let text = try String(contentsOfFile: folder.path("next-definitions/\(name)"), encoding: .utf8)
            // Half of a file can be valid by itself.
            for part in name == names.last ? [text] : [String(text.prefix(text.count / 2)), text] {
                try folder.replace("definitions/\(name)", part)
                reloader.load()
                #expect((reloader.plans.failure == nil) == (name == names.last), "\(name)")
                #expect((reloader.plans.current.plan.revision != revision) == (name == names.last), "\(name)")
            }
        }
        #expect(count("/button.yaml: error: the file's checksum differs from MANIFEST") > 0)
    }

    @Test("A load replaces the warnings, also if the revision stays the same")
    func warnings() throws {
        var places: [String] { reloader.plans.current.warnings.map(\.placeInFolder) }
        let revision = reloader.plans.current.plan.revision
        #expect(places == ["beta.yaml:2:9"])
        try folder.write("status: draft\nvariants: [{ key: a }]\n", to: "definitions/next.yaml.txt")
        reloader.load()
        #expect(places == ["beta.yaml:2:9", "next.yaml.txt"])
        unlink(folder.path("definitions/next.yaml.txt"))
        reloader.load()
        #expect(places == ["beta.yaml:2:9"])
        #expect(reloader.plans.current.plan.revision == revision)
        // Definitions with errors do not become the current ones, and neither do their warnings.
        try folder.replace("definitions/button.yaml", Fixture.brokenButton)
        unlink(folder.path("definitions/beta.yaml"))
        reloader.load()
        #expect(places == ["beta.yaml:2:9"])
    }

    @Test("Of many warnings of one kind the log has the first and their number")
    func warningsAreGrouped() throws {
        for number in 1...3 {
            try folder.write(
                "status: running\nvariants: [{ key: a }, { key: b }]\n",
                to: "definitions/long-key-of-an-experiment-\(number).yaml")
        }
        let before = log.lines.count
        reloader.load()
        let lines = log.lines.dropFirst(before).filter { $0.contains("warning: ") }
        let long = lines.filter { $0.contains("two hash blocks") }
        #expect(long.count == 1)
        #expect(long.first?.contains("long-key-of-an-experiment-1.yaml:") == true)
        #expect(long.first?.hasSuffix("; 2 more of this kind, which allot check lists") == true)
        #expect(lines.contains { $0.contains("/beta.yaml:") && !$0.contains("of this kind") })
        #expect(reloader.plans.current.warnings.count { $0.message.contains("two hash blocks") } == 3)
    }

    @Test("Loads of a folder that is only touched find the same content, and any change is another")
    func contents() throws {
        let button = try #require(Fixture.files["button.yaml"])
        var contents = [reloader.find(isSample: true).content]
        func expectNew(_ name: String) throws {
            let content = try #require(reloader.find(isSample: true).content)
            #expect(!contents.contains(content), "\(name)")
            contents.append(content)
        }
        try folder.replace("definitions/button.yaml", button)
        #expect(contents[0] != nil)
        #expect(reloader.find(isSample: true).content == contents[0])
        try folder.replace("definitions/button.yaml", button + "\n")
        try expectNew("a byte")
        try folder.replace("definitions/button.yaml", Fixture.brokenButton)
        try expectNew("an error")
        try #require(rename(folder.path("definitions/button.yaml"), folder.path("definitions/knob.yaml")) == 0)
        try expectNew("a name")
        try folder.write("", to: "definitions/MANIFEST.sha256")
        try expectNew("a manifest")
        try #require(symlink("nowhere", folder.path("definitions/link.yaml")) == 0)
        try expectNew("a link to nothing")
        unlink(folder.path("definitions/box.yaml"))
        try expectNew("one file less")
        try #require(rename(folder.definitions, folder.path("away")) == 0)
        #expect(reloader.find(isSample: true).content == nil)
    }

    @Test("What is found while the folder does not rest is published if it is new, or after a report")
    func samples() throws {
        reloader.publish(reloader.find(isSample: true))
        #expect(results == ["definitions loaded"])
        try folder.replace("definitions/button.yaml", Fixture.changedButton)
        for _ in 0..<2 { reloader.publish(reloader.find(isSample: true)) }
        #expect(results == ["definitions loaded", "definitions replaced"])
        reloader.reportUnrest(isRead: true)
        #expect(reloader.plans.failure?.problems.first?.contains("change all the time") == true)
        #expect(count("change all the time") == 1)
        #expect(count("definitions not replaced") == 1)
        for _ in 0..<2 { reloader.publish(reloader.find(isSample: true)) }
        #expect(results.last == "definitions unchanged")
        #expect(results.count == 4)
        #expect(reloader.plans.failure == nil)
        // A sample that was not published is loaded when the folder rests.
        try folder.replace("definitions/button.yaml", Fixture.brokenButton)
        _ = reloader.find(isSample: true)
        poll(3)
        #expect(reloader.plans.failure?.problemCount == 2)
    }

    @Test("A signal in the middle of a change leaves the rest to the next poll")
    func signalInTheMiddle() throws {
        try folder.replace("definitions/button.yaml", Fixture.brokenButton)
        reloader.load()
        #expect(reloader.plans.failure != nil)
        try folder.replace("definitions/button.yaml", Fixture.changedButton)
        poll(2)
        #expect(reloader.plans.failure == nil)
        #expect(count("definitions replaced") == 1)
    }
}
