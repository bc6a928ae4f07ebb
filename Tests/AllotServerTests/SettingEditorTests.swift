import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotPageRoutes
import AllotServer
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import TestSupport
import Testing

/// Changes of settings that are written by a page.
@Suite(.blocks) struct SettingEditorTests {
    private static let base = """
        # all
        config_sections:
          Shop:
            settings:
              Steps: { value: 3, type: integer, maximum: 5 } # steps

        """
    private static let experiment = """
        status: running
        forced: { tester: a }
        variants: [{ key: a }, { key: b, overrides: { Shop: { Steps: 1 } } }]
        """
    private static let uri = "/settings/edit"
    private static let change = "operation=value&setting=Shop.Steps&value=4"
    private static let (ada, bob) = ("token-of-edits-00000000001", "token-of-edits-00000000002")
    private static let reader = "token-of-explanations-001"
    private static let tokens = """
        explain,edit \(ada) Ada <ada@example.com>
        edit \(bob) Bob
        explain \(reader)
        """

    private static let files = ["base.yaml": base, "steps.yaml": experiment]

    /// The routes of a folder whose settings may be changed.
    private func routes(_ folder: String, mayWrite: Bool = true) throws -> TestedRoutes {
        var routes = try TestedRoutes()
        let logger = Logger(label: "editing", factory: { _ in SwiftLogNoOpLogHandler() })
        routes.allot = AllotService(try DefinitionsReloader(folder: folder, logger: logger))
        routes.proposals = ChangeProposals(folder: folder, limits: DefinitionLimits(), mayWrite: mayWrite)
        routes.allot.tokens = AccessTokenStore(try AccessTokens(parsing: Self.tokens, name: "tokens"))
        return routes
    }

    /// Tries a change out; returns the form that confirms it.
    private func confirmation(
        _ client: any TestClientProtocol, _ form: String = change, _ token: String = ada
    ) async throws -> PageForm {
        let page = try await client.postForm(Self.uri, form, Self.bearer(token))
        #expect(page.status == .ok)
        return try PageForm(#"aria-label="Write the change""#, in: page.text)
    }

    private static func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

    @Test("A change is shown, and once confirmed it is a commit in the bearer's name, and a line of the log")
    func writes() async throws {
        let repository = try TestRepository()
        for (name, text) in Self.files { try repository.write(text, to: "shop/\(name)") }
        try repository.commit("Begin", at: "2026-01-01T00:00:00Z")
        let routes = try routes(repository.path + "/shop")
        let log = LogRecord(.info)
        try await routes.test { client async throws in
            let page = try await client.get(Self.uri + "?setting=Shop.Steps", Self.bearer(Self.ada)).text
            var form = try PageForm(#"aria-label="New value""#, in: page)
            form["value"] = "4"
            let tried = try await client.postForm(Self.uri, form.encoded, Self.bearer(Self.ada)).text
            #expect(tried.contains("Steps: { value: 4, type: integer, maximum: 5 }"))
            #expect(tried.contains("no new problem"))
            let confirmed = try PageForm(#"aria-label="Write the change""#, in: tried).encoded
            var head = HTTPRequest(
                method: .post, scheme: "http", authority: "localhost", path: Self.uri,
                headerFields: Self.bearer(Self.ada))
            head.headerFields[.contentType] = "application/x-www-form-urlencoded"
            // A request of HTTP/2 may have the authority twice.
            head.headerFields[.origin] = "http://localhost"
            head.headerFields[try #require(HTTPField.Name("Host"))] = "localhost"
            let body = RequestBody(buffer: ByteBuffer(string: confirmed))
            #expect(try await routes.respond(to: head, body, log: log).status == .ok)
            #expect(try await client.postForm(Self.uri, confirmed, Self.bearer(Self.ada)).status == .conflict)
        }
        #expect(try repository.text("shop/base.yaml") == Self.base.replacing("value: 3", with: "value: 4"))
        #expect(
            try repository.git(["log", "--format=%an %ae %s"]).split(separator: "\n").dropLast()
                == ["Ada ada@example.com Set Shop.Steps to 4"])
        #expect(try repository.git(["status", "--porcelain"]).isEmpty)
        #expect(log.levels(of: "Ada <ada@example.com> changed").count == 1)
    }

    @Test("A setting with hostile texts is added as the form has it, and removed again")
    func addsAndRemoves() async throws {
        let folder = try TemporaryFolder(Self.files)
        try await routes(folder.path).test { client async throws in
            let page = try await client.get(Self.uri, Self.bearer(Self.ada)).text
            var form = try PageForm(#"aria-label="New setting""#, in: page)
            let texts = [
                "section": "<b>'\"\u{202E}", "name": "N: {\n}", "type": "string", "value": "two\n\"lines\" & \u{200D}",
                "pattern": "lines", "enum": "two\nother lines", "description": "</textarea><script>",
            ]
            for (name, text) in texts { form[name] = text }
            let refused = try await client.postForm(Self.uri, form.encoded, Self.bearer(Self.ada)).text
            #expect(refused.contains("not one of"))
            #expect(!refused.contains(#"aria-label="Write the change""#))
            #expect(!refused.contains("<script"))
            form = try PageForm(#"aria-label="New setting""#, in: refused)
            for (name, text) in texts { #expect(form[name] == text, "\(name)") }
            form["enum"] = ""
            let confirmed = try await confirmation(client, form.encoded).encoded
            #expect(try await client.postForm(Self.uri, confirmed, Self.bearer(Self.ada)).status == .ok)
            let settings = try Plan.load(folder: folder.path).definitions.settings
            let added = try #require(settings.first { $0.name == texts["name"] })
            #expect(added.section == texts["section"])
            let value = try #require(texts["value"])
            #expect(added.value == .string(value))
            #expect(added.description == texts["description"])
            // The plan has the setting at once.
            let path = PageForm.encoded("<b>'\"\u{202E}.N: {\n}")
            let removal = try await confirmation(client, "operation=remove&setting=\(path)").encoded
            let written = try await client.postForm(Self.uri, removal, Self.bearer(Self.ada)).text
            #expect(written.contains(": Remove &lt;b&gt;"))
            #expect(try Plan.load(folder: folder.path).definitions.settings.map(\.name) == ["Steps"])
        }
    }

    @Test("Other tokens, other sites, other changes and other bearers write nothing")
    func refused() async throws {
        let folder = try TemporaryFolder(Self.files)
        try await routes(folder.path).test { client async throws in
            let confirmed = try await confirmation(client).encoded
            var changed = try await confirmation(client)
            changed["value"] = "5"
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            var (foreign, origin) = (Self.bearer(Self.ada), Self.bearer(Self.ada))
            foreign[site] = "cross-site"
            origin[.origin] = "https://evil.example"
            let requests: [(form: String, headers: HTTPFields, status: HTTPResponse.Status)] = [
                (confirmed, [:], .unauthorized), (confirmed, Self.bearer(Self.reader), .unauthorized),
                (confirmed, foreign, .forbidden), (confirmed, origin, .forbidden),
                (confirmed, Self.bearer(Self.bob), .conflict),
                (changed.encoded, Self.bearer(Self.ada), .conflict),
                (Self.change + "&confirmation=x", Self.bearer(Self.ada), .conflict),
                // Above the maximum.
                ("operation=value&setting=Shop.Steps&value=9&confirmation=x", Self.bearer(Self.ada), .conflict),
                // An experiment sets it.
                ("operation=remove&setting=Shop.Steps&confirmation=x", Self.bearer(Self.ada), .conflict),
                ("setting=Shop.Steps&value=4", Self.bearer(Self.ada), .badRequest),
                ("operation=value&setting=&value=4&confirmation=x", Self.bearer(Self.ada), .badRequest),
                ("operation=value&setting=Shop.None&value=4", Self.bearer(Self.ada), .notFound),
            ]
            for (form, headers, status) in requests {
                #expect(try await client.postForm(Self.uri, form, headers).status == status, "\(form)")
            }
            // Reading writes nothing either.
            _ = try await client.get("\(Self.uri)?setting=Shop.Steps", Self.bearer(Self.ada))
            #expect(try await client.get("\(Self.uri)?\(confirmed)", Self.bearer(Self.ada)).status == .badRequest)
        }
        #expect(try folder.text("base.yaml") == Self.base)
    }

    @Test("A change with a failing test, or of a file that changed meanwhile, is not written")
    func outdated() async throws {
        let folder = try TemporaryFolder(Self.files)
        try await routes(folder.path).test { client async throws in
            let confirmed = try await confirmation(client).encoded
            try folder.write(
                "at: 2026-11-21T12:00:00Z\ncases: [{ name: three, unit: tester, settings: { Shop.Steps: 3 } }]\n",
                to: "tests/steps.yaml")
            let failing = try await client.postForm(Self.uri, Self.change, Self.bearer(Self.ada)).text
            #expect(!failing.contains(#"aria-label="Write the change""#))
            #expect(try await client.postForm(Self.uri, confirmed, Self.bearer(Self.ada)).status == .conflict)
            try FileManager.default.removeItem(atPath: folder.path("tests"))
            let other = Self.base + "# mine\n"
            try folder.write(other, to: "base.yaml")
            let answer = try await client.postForm(Self.uri, confirmed, Self.bearer(Self.ada))
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("was changed after the page was made"))
            #expect(try folder.text("base.yaml") == other)
        }
    }

    @Test("Of two changes at once one is written, and the other one is refused")
    func concurrent() async throws {
        let folder = try TemporaryFolder(Self.files)
        try await routes(folder.path).test { client async throws in
            let five = Self.change.replacing("value=4", with: "value=5")
            async let tried = confirmation(client)
            async let triedToo = confirmation(client, five, Self.bob)
            let (first, second) = try await (tried.encoded, triedToo.encoded)
            async let one = client.postForm(Self.uri, first, Self.bearer(Self.ada))
            async let two = client.postForm(Self.uri, second, Self.bearer(Self.bob))
            let statuses = try await [one.status, two.status]
            #expect(statuses.filter { $0 == .ok }.count == 1)
            #expect(statuses.contains(.conflict))
            let value = statuses[0] == .ok ? "value: 4" : "value: 5"
            #expect(try folder.text("base.yaml") == Self.base.replacing("value: 3", with: value))
        }
    }

    @Test("A folder that cannot be written is a page with the reason", .enabled(if: geteuid() != 0, "root may write"))
    func readOnly() async throws {
        let folder = try TemporaryFolder(Self.files)
        try await routes(folder.path).test { client async throws in
            let confirmed = try await confirmation(client).encoded
            try #require(chmod(folder.path, 0o500) == 0)
            let answer = try await client.postForm(Self.uri, confirmed, Self.bearer(Self.ada))
            chmod(folder.path, 0o700)
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("permitted"))
        }
        #expect(try folder.text("base.yaml") == Self.base)
    }

    @Test("Without the option, or without tokens, nothing can be changed, and the page of settings says nothing of it")
    func off() async throws {
        let folder = try TemporaryFolder(Self.files)
        var open = try routes(folder.path)
        open.allot.tokens = nil
        let readOnly = try routes(folder.path, mayWrite: false)
        for tested in [readOnly, open] {
            try await tested.test { client async throws in
                #expect(try await client.get(Self.uri, Self.bearer(Self.ada)).status == .notFound)
                #expect(try await client.postForm(Self.uri, Self.change, Self.bearer(Self.ada)).status == .notFound)
                #expect(try await !client.get("/settings", Self.bearer(Self.ada)).text.contains("settings/edit"))
            }
        }
        try await routes(folder.path).test { client async throws in
            #expect(try await client.get("/settings", Self.bearer(Self.ada)).text.contains("settings/edit?setting="))
        }
    }
}

/// Changes of settings by a server that runs.
@Suite(.runsServer) struct SettingEditorProgramTests {
    private static func request(_ body: String) -> String {
        "POST /settings/edit HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n"
            + "Authorization: Bearer token-of-edits-00000000001\r\n"
            + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    /// Tries a change out; returns the form that confirms it.
    private func confirmation(_ server: RunningServer, _ form: String) throws -> String {
        let tried = try server.connect(sending: Self.request(form)).response()
        return try PageForm(#"aria-label="Write the change""#, in: tried.body).encoded
    }

    @Test("Variables that name another repository, index or committer do not count")
    func variables() throws {
        let (own, other) = (try TestRepository(), try TestRepository())
        for repository in [own, other] {
            for (name, text) in Fixture.files { try repository.write(text, to: "shop/\(name)") }
            try repository.commit("Begin", at: "2026-01-01T00:00:00Z")
        }
        let folder = try ServerFolder()
        let tokens = try folder.write("edit token-of-edits-00000000001 Ada\n", to: "tokens")
        let server = try RunningServer(
            ["--definitions", own.path + "/shop", "--tokens", tokens, "--allow-editing"],
            environment: [
                "GIT_DIR": other.path + "/.git", "GIT_WORK_TREE": other.path, "GIT_INDEX_FILE": other.path + "/index",
                "GIT_OBJECT_DIRECTORY": other.path, "GIT_COMMITTER_NAME": "Eve", "GIT_COMMITTER_DATE": "2020-01-01",
            ])
        let confirmed = try confirmation(server, "operation=value&setting=Page.Color&value=mauve")
        _ = try server.connect(sending: Self.request(confirmed)).response()
        #expect(try own.git(["log", "-1", "--format=%an %cn %s"]) == "Ada allot-server Set Page.Color to \"mauve\"")
        #expect(try own.git(["status", "--porcelain"]).isEmpty)
        #expect(try other.git(["rev-list", "--count", "HEAD"]) == "1")
        #expect(try other.git(["status", "--porcelain"]).isEmpty)
        withExtendedLifetime(folder) {}
    }

    @Test("A server that is killed while it writes leaves the old file or the new one")
    func killed() throws {
        let folder = try ServerFolder()
        let tokens = try folder.write("edit token-of-edits-00000000001 Ada\n", to: "tokens")
        for round in 0..<4 {
            let server = try RunningServer(folder.arguments + ["--tokens", tokens, "--allow-editing"])
            let value = "color-\(round)"
            let confirmed = try confirmation(server, "operation=value&setting=Page.Color&value=\(value)")
            let before = try String(contentsOfFile: folder.path("definitions/base.json"), encoding: .utf8)
            let connection = try server.connect(sending: Self.request(confirmed))
            usleep(UInt32(round) * 4000)
            server.signal(SIGKILL)
            _ = try server.waitForEnd()
            let after = try String(contentsOfFile: folder.path("definitions/base.json"), encoding: .utf8)
            #expect(after == before || after.contains(#""Color": {"value": "\#(value)"}"#))
            _ = try Plan.load(folder: folder.definitions)
            withExtendedLifetime(connection) {}
        }
    }
}
