import AllotDefinitions
import AllotServer
import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

/// The page of settings, and new values that are tried out there.
@Suite struct SettingsRouteTests {
    @Test("A new value is tried out on the files, but not for pages of other origins, for prefetching, or for HEAD")
    func tries() async throws {
        let folder = try TemporaryFolder()
        try folder.write("config_sections: { Page: { settings: { Color: { value: blue } } } }\n", to: "base.yaml")
        var routes = try TestedRoutes()
        routes.allot.proposals = SettingProposals(folder: folder.path, limits: DefinitionLimits())
        try await routes.test { client in
            let target = "/settings?setting=Page.Color&value=red"
            func page(_ headers: KeyValuePairs<String, String>, _ uri: String = target) async throws -> String {
                var fields: HTTPFields = [.accept: "text/html"]
                for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
                let response = try await client.execute(uri: uri, method: .get, headers: fields)
                #expect(response.status == .ok)
                return String(buffer: response.body)
            }
            let tried = try await page(["Sec-Fetch-Site": "same-origin"])
            #expect(tried.contains("Color: { value: red }") && tried.contains("no new problem"))
            for headers: KeyValuePairs in [["Sec-Fetch-Site": "cross-site"], ["Sec-Purpose": "prefetch;prerender"]] {
                let untried = try await page(headers)
                #expect(untried.contains("value=\"red\"") && !untried.contains("no new problem"))
            }
            #expect(try await page([:], "/settings?text=colo").contains("Page.Color"))
            let unknown = try await client.execute(uri: "/settings?setting=Page.None", method: .get)
            #expect(unknown.status == .notFound)
            let wrong = try await client.execute(uri: "/settings?page=0", method: .get)
            #expect(wrong.status == .badRequest)
        }
        #expect(try folder.text("base.yaml").contains("blue"))
    }
}
