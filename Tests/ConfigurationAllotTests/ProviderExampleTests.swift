import AllotClient
import Configuration
import ConfigurationAllot
import Foundation
import Testing

/// The example in the provider's documentation.
struct ProviderExampleTests {
    @Test("The example in the documentation runs")
    func theExampleRuns() async throws {
        let fixture = ProviderFixture(["Checkout": ["ButtonColor": "#00aa00", "Retries": 3], "Keys": ["map": "k"]])
        let client = fixture.client
        let work = Task {
            var shown: [String] = []
            func show(_ color: String) {
                shown.append(color)
                withUnsafeCurrentTask { $0?.cancel() }
            }
            let provider = AllotConfigurationProvider(client: client) { section, _ in section == "Keys" }
            let config = ConfigReader(providers: [EnvironmentVariablesProvider(), provider])
            let checkout = config.scoped(to: "Checkout")
            let color = checkout.string(forKey: "ButtonColor", default: "#0000ff")
            let retries = try await checkout.fetchRequiredInt(forKey: "Retries")
            try await checkout.watchString(forKey: "ButtonColor", default: "#0000ff") { colors in
                for await color in colors { show(color) }
            }
            #expect(color == "#00aa00")
            #expect(retries == 3)
            return shown
        }
        #expect(try await work.value == ["#00aa00"])
    }

    @Test("The documentation shows the example that runs")
    func theDocumentationShowsWhatRuns() throws {
        let file = URL(fileURLWithPath: #filePath)
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let provider = root.appendingPathComponent("Sources/ConfigurationAllot/AllotConfigurationProvider.swift")
        let example = try String(contentsOf: provider, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("///     ") }.map { $0.dropFirst(8) }
        #expect(example.count == 8)
        let lines = example.map { "            \($0)\n" }.joined()
        #expect(try String(contentsOf: file, encoding: .utf8).contains(lines))
    }
}
