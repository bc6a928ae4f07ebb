import AllotConfiguration
import AllotDefinitions
import AllotFiles
import Foundation
import TestSupport
import Testing

/// The sample server of plain SwiftNIO over `AllotServing`, as it runs.
@Suite(.runsServer, .mayHang) struct EmbeddedServerTests {
    private func server(_ folder: ServerFolder) throws -> RunningServer {
        try RunningServer(
            BuiltProgram("embedded-server").url, [folder.definitions, folder.path("embedded.sqlite"), "0"])
    }

    @Test("It gives the same answers as allot-server, with their tags and lifetimes")
    func answersAreThoseOfTheServer() throws {
        let folder = try ServerFolder()
        let embedded = try server(folder)
        let other = try RunningServer(folder.arguments + ["--fetch-interval", "300"])
        for uri in [
            "/activeconfig/user/user-42?country=DE", "/activeconfig/user/tester", "/activeconfig/user/(null)",
            "/activeconfig/user", "/activeconfig/user/", "/activeconfig/user/?country=DE",
            "/active_config?userID=user-42&country=FR", "/activeconfig/user/user",
            "/activeconfig/user/active_config", "/activeconfig/user/a%zz", "/activeconfig/user/a?b=1&b=2",
            "/elsewhere", "/activeconfig/user/a/b",
        ] {
            let (own, expected) = (try embedded.get(uri), try other.get(uri))
            #expect(own.status == expected.status, "\(uri)")
            #expect(own.body == expected.body, "\(uri)")
            for name in ["etag", "cache-control", "content-type", "allot-boundary"] {
                #expect(own.header(name) == expected.header(name), "\(uri) \(name)")
            }
            if let tag = own.header("etag") {
                let again = try embedded.get(uri, ["If-None-Match: \(tag)"])
                #expect(again.status == 304)
                #expect(again.body == "")
                #expect(again.header("etag") == tag)
            }
        }
        let body = #"{"attributes": {"seats": 3, "country": "DE"}}"#
        let posted = try embedded.post("/activeconfig/user/user-42", body)
        #expect(posted.status == 200)
        #expect(try posted.body == other.post("/activeconfig/user/user-42", body).body)
        let flags = #"{"context": {"targetingKey": "user-42"}}"#
        let bulk = try embedded.post("/ofrep/v1/evaluate/flags", flags)
        #expect(bulk.status == 200)
        #expect(try bulk.body == other.post("/ofrep/v1/evaluate/flags", flags).body)
        #expect(try embedded.post("/elsewhere/user-42", body).status == 404)
    }

    @Test("A path of its own answers for the user of a session, as the routes do")
    func ownPath() throws {
        let embedded = try server(try ServerFolder())
        let expected = try embedded.get("/activeconfig/user/tester")
        let own = try embedded.get("/v2/config", ["Shop-Session: tester"])
        #expect(own.status == 200)
        #expect(own.body == expected.body)
        #expect(own.header("etag") == expected.header("etag"))
        #expect(own.header("cache-control") == "private, max-age=300")
        #expect(try embedded.get("/v2/config").status == 404)
        let connection = try embedded.connect(sending: "HEAD /v2/config HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try connection.response(hasBody: false).status == 404)
        try connection.send("HEAD /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try connection.response(hasBody: false).status == 200)
        try connection.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try connection.response().body == #"{"status":"ok"}"#)
    }

    @Test("It stores exposures once, and refuses what is not JSON")
    func exposuresAreStored() throws {
        let folder = try ServerFolder()
        let embedded = try server(folder)
        let batch = Event.batch([Event.text("a", at: "\(Instant.now)"), "7"])
        let first = try JSONValue(parsing: Array(embedded.post("/exposures", batch).body.utf8))
        #expect(first["stored"] == 1)
        #expect(first["errors"]?[0]?["retry"] == false)
        #expect(try embedded.post("/exposures", batch).body.contains(#""duplicates":1"#))
        let connection = try embedded.connect()
        try connection.send("POST /exposures HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n[]")
        #expect(try connection.response().status == 415)
        embedded.signal(SIGTERM)
        #expect(try embedded.waitForEnd() == 0)
        // What it acknowledged is there for any server.
        let other = try RunningServer(
            ["--definitions", folder.definitions, "--exposures", folder.path("embedded.sqlite")])
        #expect(try other.get("/exposures").body.split(separator: "\n").count == 2)
    }

    @Test("It applies changes of its folder, and announces them")
    func changesAreApplied() throws {
        let folder = try ServerFolder()
        let embedded = try server(folder)
        let listener = try embedded.connect(sending: "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try listener.wait(for: "\n\n").contains("event: message"))
        #expect(try embedded.get("/activeconfig/user/tester").body.contains(#""value":"green""#))
        try folder.replace("definitions/button.yaml", Fixture.changedButton)
        embedded.signal(SIGHUP)
        #expect(try listener.wait(for: "\n\n").contains("refetchEvaluation"))
        #expect(try embedded.get("/activeconfig/user/tester").body.contains(#""value":"dark green""#))
        embedded.signal(SIGTERM)
        #expect(try embedded.waitForEnd() == 0)
    }
}
