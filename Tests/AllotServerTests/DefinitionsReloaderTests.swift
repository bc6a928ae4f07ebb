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

    @Test("Each failure is logged once")
    func failuresAreLoggedOnce() throws {
        for name in Fixture.files.keys { unlink(folder.path("definitions/\(name)")) }
        poll(10)
        #expect(count("definitions not replaced") == 1)
        #expect(count("defines no setting and no experiment") == 1)
        #expect(reloader.plans.failure?.problemCount == 1)
        try #require(rename(folder.definitions, folder.path("away")) == 0)
        poll(10)
        #expect(count("definitions not replaced") == 2)
        #expect(count("cannot read the definitions folder") == 1)
        try folder.writeDefinitions("definitions")
        poll(10)
        #expect(count("definitions unchanged") == 1)
        #expect(reloader.plans.failure == nil)
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
