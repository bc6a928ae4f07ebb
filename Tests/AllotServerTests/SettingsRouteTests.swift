import AllotDefinitions
import AllotPageRoutes
import HTTPTypes
import TestSupport
import Testing

/// The page of settings, and new values that are tried out there.
struct SettingsRouteTests {
    @Test("A new value is tried out on the files, but not for the pages of other origins")
    func tries() async throws {
        let folder = try TemporaryFolder()
        try folder.write("config_sections: { Page: { settings: { Color: { value: blue } } } }\n", to: "base.yaml")
        var routes = try TestedRoutes()
        routes.proposals = ChangeProposals(folder: folder.path, limits: DefinitionLimits())
        try await routes.test { client async throws in
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let policy = try #require(HTTPField.Name("Referrer-Policy"))
            let form = "setting=Page.Color&value=red"
            let tried = try await client.postForm("/settings", form, [site: "same-origin"])
            #expect(tried.text.contains("Color: { value: red }"))
            #expect(tried.text.contains("no new problem"))
            #expect(tried.headers[policy] == "same-origin")
            let foreign: [HTTPFields] = [[site: "cross-site"], [.origin: "https://other.example"]]
            for headers in foreign {
                #expect(try await client.postForm("/settings", form, headers).status == .forbidden)
            }
            for (form, status) in [("setting=Page.None&value=1", 404), ("setting=Page.Color", 400)] {
                #expect(try await client.postForm("/settings", form).status.code == status)
            }
            for (uri, status) in [
                ("/settings?text=colo", 200), ("/settings?page=0", 400), ("/settings?value=1", 400),
                ("/settings?setting=Page.None&value=1", 404), ("/settings?setting=Page.Color&values=1", 400),
                ("/settings?setting=Page.Color&value=1&value=2", 400),
            ] {
                #expect(try await client.get(uri).status.code == status, "\(uri)")
            }
            try await client.get("/settings?value=1").expectFailure(
                .badRequest, "the request lacks a setting or a value; send setting and value")
        }
        #expect(try folder.text("base.yaml").contains("blue"))
    }

    @Test("A link tries a new value out, says the same each time, writes nothing, and shows no path of the server")
    func links() async throws {
        let folder = try TemporaryFolder()
        let base = "config_sections: { Page: { settings: { Color: { value: blue, enum: [blue, red] } } } }\n"
        try folder.write(base, to: "base.yaml")
        var routes = try TestedRoutes()
        routes.proposals = ChangeProposals(folder: folder.path, limits: DefinitionLimits())
        try await routes.test { client async throws in
            let link = "/settings?setting=Page.Color&value=red"
            let tried = try await client.get(link)
            #expect(tried.status == .ok)
            #expect(tried.text.contains("<h3>Commit this in <code>base.yaml</code></h3>"))
            #expect(try await client.get(link).text == tried.text)
            let refused = try await client.get("/settings?setting=Page.Color&value=green").text
            #expect(refused.contains("base.yaml:1:"))
            for page in [tried.text, refused] { #expect(!page.contains(folder.path)) }
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let mode = try #require(HTTPField.Name("Sec-Fetch-Mode"))
            let destination = try #require(HTTPField.Name("Sec-Fetch-Dest"))
            let followed: HTTPFields = [site: "cross-site", mode: "navigate", destination: "document"]
            #expect(try await client.get(link, followed).status == .ok)
            for foreign: HTTPFields in [
                [site: "cross-site", mode: "no-cors", destination: "image"],
                [site: "cross-site", mode: "navigate", destination: "iframe"],
            ] {
                #expect(try await client.get(link, foreign).status == .forbidden)
            }
            try folder.write("status: [", to: "broken.yaml")
            let broken = try await client.get(link)
            #expect(broken.status == .ok && broken.text.contains("broken.yaml"))
            #expect(!broken.text.contains(folder.path))
        }
        #expect(try folder.text("base.yaml") == base)
        try await TestedRoutes().test { client async throws in
            try await client.get("/settings?setting=Page.Color&value=red").expectFailure(.badRequest, "no folder")
        }
    }
}
