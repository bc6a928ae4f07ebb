import AllotDefinitions
import AllotPageRoutes
import HTTPTypes
import HummingbirdTesting
import NIOCore
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
            func post(_ form: String, _ headers: KeyValuePairs<String, String> = [:]) async throws -> TestResponse {
                var fields: HTTPFields = [
                    .accept: "text/html", .contentType: "application/x-www-form-urlencoded",
                ]
                for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
                return try await client.execute(
                    uri: "/settings", method: .post, headers: fields, body: ByteBuffer(string: form))
            }
            let form = "setting=Page.Color&value=red"
            let tried = try await post(form, ["Sec-Fetch-Site": "same-origin"])
            let page = String(buffer: tried.body)
            #expect(page.contains("Color: { value: red }"))
            #expect(page.contains("no new problem"))
            let policy = try #require(HTTPField.Name("Referrer-Policy"))
            #expect(tried.headers[policy] == "same-origin")
            for headers: KeyValuePairs in [["Sec-Fetch-Site": "cross-site"], ["Origin": "https://other.example"]] {
                let refused = try await post(form, headers)
                #expect(refused.status == .forbidden)
            }
            for (form, status) in [("setting=Page.None&value=1", 404), ("setting=Page.Color", 400)] {
                let refused = try await post(form)
                #expect(refused.status.code == status)
            }
            for (uri, status) in [("/settings?text=colo", 200), ("/settings?page=0", 400), ("/settings?value=1", 400)] {
                let response = try await client.execute(uri: uri, method: .get)
                #expect(response.status.code == status)
            }
        }
        #expect(try folder.text("base.yaml").contains("blue"))
    }
}
