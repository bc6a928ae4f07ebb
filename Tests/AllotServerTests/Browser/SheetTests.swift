import Foundation
import TestSupport
import Testing

/// The settings sheet of the sample app, as it is served to browsers on this machine.
@Suite(.runsServer) struct SheetTests {
    /// A sample app that serves its sheet, and the sheet's path. The app's server is not reached.
    private func serve(_ folder: TemporaryFolder) throws -> (app: RunningServer, path: String) {
        let app = try RunningServer(
            BuiltProgram("shop-app").url,
            ["user-42", "--sheet", "--server", "http://127.0.0.1:1", "--store", folder.path("store")])
        let line = try #require(app.lines.last)
        let address = try #require(line.split(separator: " ").last)
        let path = try #require(address.split(separator: "/").last)
        return (app, "/\(path)/")
    }

    @Test("The sheet is only for those who have its address, and for no page of another host or origin")
    func access() throws {
        let folder = try TemporaryFolder()
        let (app, path) = try serve(folder)
        #expect(path.count > 30)
        for target in ["/", "/readout", String(path.dropLast()), "/x\(path)"] {
            #expect(try app.get(target).status == 404, "\(target)")
        }
        let page = try app.get(path)
        #expect(page.status == 200)
        #expect(page.body.contains("Checkout.Steps"))
        #expect(page.header("cache-control") == "no-store")
        #expect(page.header("content-security-policy") == "frame-ancestors 'none'")
        #expect(try app.get(path + "readout").body.contains("\nCheckout.Steps=3\n"))

        for host in ["evil.example", "evil.example:\(app.port)", "127.0.0.1.evil.example"] {
            let connection = try app.connect(sending: "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try connection.response().status == 403, "\(host)")
        }
        for origin in ["http://evil.example", "null", "http://localhost:1"] {
            #expect(try app.post(path, "action=reset-all", ["Origin: \(origin)"]).status == 403, "\(origin)")
        }
        let answer = try app.post(path, "action=reset-all", ["Origin: http://localhost"])
        #expect(answer.status == 303)
        #expect(answer.header("location") == "./")
    }

    @Test(
        "The sheet works in a browser: every control, with the keyboard, refusals, and at 320 pixels",
        .enabled(if: Browser.executable != nil, "there is no chromium in PATH, and ALLOT_CHROMIUM names none"),
        .enabled(
            if: Browser.python != nil,
            "ALLOT_BROWSER_PYTHON names no Python with Tests/AllotServerTests/Browser/Pages/requirements.txt"))
    func sheetWorks() throws {
        let (python, chromium) = (try #require(Browser.python), try #require(Browser.executable))
        let folder = try TemporaryFolder()
        let (app, path) = try serve(folder)
        let pictures = ProcessInfo.processInfo.environment["ALLOT_PAGES_FOLDER"] ?? folder.path("pictures")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pages/sheet.py")
        let outcome = try Outcome(
            of: URL(filePath: python),
            [
                script.path, "http://127.0.0.1:\(app.port)\(path)", "--chromium", chromium.path, "-o",
                "\(pictures)/sheet",
            ], within: .seconds(400))
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        withExtendedLifetime(app) {}
    }
}
