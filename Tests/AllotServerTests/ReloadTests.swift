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
        #expect(second != nil)
        #expect(second != first)
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
        let listener = try server.connect(sending: "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
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
