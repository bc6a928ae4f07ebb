import AllotConfiguration
import Foundation
import SystemLibrary
import TestSupport
import Testing

@Suite(.runsServer) struct ReloadTests {
    private func metrics(_ server: RunningServer) throws -> [Substring] {
        try server.get("/metrics").body.split(separator: "\n")
    }

    @Test("Changes of definitions are applied or reported")
    func changesAreWatched() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        #expect(try server.color() == "green")
        let first = try server.definitions()["revision"]

        try folder.replace("definitions/button.yaml", Fixture.changedButton)
        try server.waitForLine("definitions replaced")
        #expect(try server.color() == "dark green")
        let second = try server.definitions()["revision"]
        #expect(second != nil && second != first)
        #expect(try metrics(server).contains(#"allot_definitions_reloads_total{result="replaced"} 1"#))

        try folder.replace("definitions/button.yaml", Fixture.brokenButton)
        try server.waitForLine("definitions not replaced")
        #expect(server.lines.contains { $0.contains("/button.yaml:1:9: error: ") })
        #expect(server.lines.contains { $0.contains("/button.yaml:4:") && $0.contains("Colour") })
        #expect(try server.color() == "dark green")
        let stale = try server.definitions()
        #expect(stale["state"] == "stale")
        // Warnings, which there are too, do not count.
        #expect(stale["problems"] == 2)
        #expect(server.lines.contains { $0.contains(" warning ") && $0.contains("/beta.yaml:") })
        #expect(!server.lines.contains { $0.contains(" error ") && $0.contains("/beta.yaml:") })
        #expect(stale["revision"] == second)
        #expect(try metrics(server).contains("allot_definitions_stale 1"))
        #expect(try metrics(server).contains(#"allot_definitions_reloads_total{result="failed"} 1"#))

        try folder.replace("definitions/button.yaml", Fixture.files["button.yaml"] ?? "")
        try server.waitForLine("definitions replaced")
        #expect(try server.color() == "green")
        #expect(try server.definitions()["state"] == "current")
        #expect(try server.definitions()["revision"] == first)
        #expect(try metrics(server).contains("allot_definitions_stale 0"))
    }

    @Test("A deleted folder keeps the plan until it returns")
    func deletedFolderIsWaitedFor() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        try #require(rename(folder.definitions, folder.path("away")) == 0)
        try server.waitForLine("definitions not replaced")
        #expect(try server.definitions()["state"] == "stale")
        #expect(try server.color() == "green")
        try #require(rename(folder.path("away"), folder.definitions) == 0)
        try server.waitForLine("definitions unchanged")
        #expect(try server.definitions()["state"] == "current")
        #expect(try server.color() == "green")
    }

    /// As Kubernetes and deployment tools do: the link is replaced by another in one step.
    @Test("A folder behind a link can be swapped")
    func linkedFolderIsSwapped() throws {
        let folder = try ServerFolder()
        try folder.writeDefinitions("next-definitions", ["button.yaml": Fixture.changedButton])
        let link = folder.path("link")
        try #require(symlink("definitions", link) == 0)
        let server = try RunningServer(["--definitions", link, "--exposures", folder.path("exposures.sqlite")])
        #expect(try server.color() == "green")
        try #require(symlink("next-definitions", folder.path("link-2")) == 0)
        try #require(rename(folder.path("link-2"), link) == 0)
        try server.waitForLine("definitions replaced")
        #expect(try server.color() == "dark green")
    }

    @Test("SIGHUP loads the definitions at once")
    func hangUpLoadsAtOnce() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        server.signal(SIGHUP)
        try server.waitForLine("SIGHUP")
        try server.waitForLine("definitions unchanged")
        #expect(try metrics(server).contains(#"allot_definitions_reloads_total{result="unchanged"} 1"#))
        try folder.replace("definitions/button.yaml", Fixture.changedButton)
        server.signal(SIGHUP)
        try server.waitForLine("definitions replaced")
        #expect(try server.color() == "dark green")
    }

    @Test("Subscribers are notified of changes")
    func listenersHearOfChanges() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let listener = try server.connect()
        try listener.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let first = try #require(try server.definitions()["revision"]?.text)
        let start = try listener.wait(for: "\n\n")
        #expect(start.contains("text/event-stream"))
        #expect(start.contains("id: \(first)\nevent: message\ndata: {"))
        try folder.replace("definitions/button.yaml", Fixture.changedButton)
        server.signal(SIGHUP)
        let next = try listener.wait(for: "\n\n")
        let second = try #require(try server.definitions()["revision"]?.text)
        #expect(second != first)
        #expect(next.contains("id: \(second)\n"))
        #expect(next.contains(#""type":"refetchEvaluation""#))
        // A listener does not hold up the end.
        server.signal(SIGTERM)
        _ = try listener.waitForEnd()
        #expect(try server.waitForEnd() == 0)
    }
}
