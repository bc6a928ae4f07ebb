import AllotConfiguration
import Configuration
import ConfigurationTesting
import Testing

@testable import AllotClient

/// swift-configuration's tests for all providers. They request keys with one component, which are in a section here.
struct ProviderCompatibilityTests {
    @Test("The provider passes swift-configuration's compatibility tests")
    func passesTheTestsOfSwiftConfiguration() async throws {
        let fixture = ProviderFixture([
            "All": [
                "string": "Hello", "int": 42, "double": 3.14, "bool": true, "bytes": "bWFnaWM=",
                "stringy": ["array": ["Hello", "World"]],
                "inty": ["array": [42, 24]],
                "doubly": ["array": [3.14, 2.72]],
                "booly": ["array": [true, false]],
                "byteChunky": ["array": ["bWFnaWM=", "bWFnaWMy"]],
                "other": [
                    "string": "Other Hello", "int": 24, "double": 2.72, "bool": false, "bytes": "bWFnaWMy",
                    "stringy": ["array": ["Hello", "Swift"]],
                    "inty": ["array": [16, 32]],
                    "doubly": ["array": [0.9, 1.8]],
                    "booly": ["array": [false, true, true]],
                    "byteChunky": ["array": ["bWFnaWM=", "bWFnaWMy", "bWFnaWM="]],
                ],
            ]
        ])
        let provider = KeyMappingProvider(upstream: fixture.provider) { $0.prepending("All") }
        try await ProviderCompatTest(provider: provider).runTest()
        #expect(fixture.server.requestCount > 0)
    }
}
