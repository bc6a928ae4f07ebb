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
        routes.proposals = SettingProposals(folder: folder.path, limits: DefinitionLimits())
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
            for (uri, status) in [("/settings?text=colo", 200), ("/settings?page=0", 400), ("/settings?value=1", 400)] {
                #expect(try await client.get(uri).status.code == status)
            }
        }
        #expect(try folder.text("base.yaml").contains("blue"))
    }
}
