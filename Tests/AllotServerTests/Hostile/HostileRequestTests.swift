import AllotConfiguration
import Foundation
import TestSupport
import Testing

/// Requests that no app sends, to a server that runs.
@Suite(.runsServer, .mayHang) struct HostileRequestTests {
    @Test("HEAD has the head of GET and no body, for errors too, so that the next answer follows")
    func headHasNoBody() throws {
        let server = try RunningServer(ServerFolder())
        let connection = try server.connect()
        for path in ["/activeconfig/user/a", "/activeconfig/user/a%zz", "/nowhere", "/ofrep/v1/evaluate/flags"] {
            let get = try server.get(path)
            try connection.send(
                "HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\nGET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let text = try connection.wait(for: #"{"status":"ok"}"#)
            #expect(text.hasPrefix("HTTP/1.1 \(get.status) "), "\(path)")
            #expect(text.components(separatedBy: "\r\n\r\n")[1].hasPrefix("HTTP/1.1 200 "), "\(path)")
        }
    }

    @Test("A unit whose exposure no store could keep is assigned nothing, and formulas of units do not run")
    func hostileUnitsAreHarmless() throws {
        let server = try RunningServer(ServerFolder())
        #expect(try server.get("/activeconfig/user/%00").status == 400)
        let units = ["=cmd|' /C calc'!A0", "@x", "-1", "-1+cmd|'x'!A"]
        let events = units.map { Event.text($0, at: "\(Instant.now)") }
        #expect(try server.post("/exposures", Event.batch(events)).body.contains(#""stored":4"#))
        let rows = try server.get("/exposures").body.split(separator: "\n").dropFirst()
        let written = ["'=cmd|' /C calc'!A0", "'@x", "-1", "'-1+cmd|'x'!A"]
        #expect(rows.map { String($0.prefix { $0 != "," }) } == written)
        let exact = try server.get("/exposures?format=ndjson").body
        for unit in units { #expect(exact.contains(#""unit":"\#(unit)""#)) }
    }

    @Test("A compressed body gets 415, and a page shows what hides in an ID")
    func bodiesAndPages() throws {
        let server = try RunningServer(ServerFolder())
        let packed = try server.post("/exposures", "\u{1F}\u{8B}", ["Content-Encoding: gzip"])
        #expect(packed.status == 415)
        #expect(packed.header("accept-encoding") == "identity")
        let page = try server.get("/explain/%E2%80%AE%1B", ["Accept: text/html"])
        #expect(page.header("content-security-policy")?.contains("frame-ancestors 'none'") == true)
        #expect(page.header("referrer-policy") == "no-referrer")
        #expect(page.body.contains(#"Why \u202E\u001B gets"#))
        #expect(!page.body.contains("\u{202E}"))
    }
}
