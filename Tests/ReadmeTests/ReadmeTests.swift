import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

/// The README tells the truth: what it shows is compiled and run.
@Suite struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("The embedding snippet is the file that is compiled here")
    func theEmbeddingSnippetIsTheFileThatIsCompiledHere() throws {
        let snippet = try Self.text("Tests/ReadmeTests/Embedding.swift")
        #expect(try Self.text("README.md").contains("```swift\n\(snippet)```"))
    }

    @Test("The mounting snippet is the file that is compiled here")
    func theMountingSnippetIsTheFileThatIsCompiledHere() throws {
        let snippet = try Self.text("Tests/ReadmeTests/Mounting.swift")
        #expect(try Self.text("README.md").contains("```swift\n\(snippet)```"))
    }

    @Test("The app snippet is the file that is compiled here")
    func theAppSnippetIsTheFileThatIsCompiledHere() throws {
        let snippet = try Self.text("Tests/ReadmeTests/InTheApp.swift")
        #expect(try Self.text("README.md").contains("```swift\n\(snippet)```"))
    }

    @Test("The app snippet shows defaults at once")
    func theAppSnippetShowsDefaultsAtOnce() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let client = try makeClient(
            server: try #require(URL(string: "http://127.0.0.1:1")), folder: folder, user: "user-42")
        #expect(client.current.settings(CheckoutScreen.self).steps == 3)
    }

    @Test("The mounted routes answer")
    func theMountedRoutesAnswer() async throws {
        let application = try makeApplication(definitions: Self.root.appendingPathComponent("Experiments").path)
        try await application.test(.router) { client in
            let answer = try await client.execute(uri: "/activeconfig/user/user-42", method: .get)
            #expect(answer.status == .ok)
            #expect(String(buffer: answer.body).hasPrefix(#"{"config_sections":"#))
            #expect(String(buffer: try await client.execute(uri: "/", method: .get).body) == "the shop")
        }
    }

    @Test("The embedding snippet works")
    func theEmbeddingSnippetWorks() throws {
        let answer = try checkoutForUser(folder: Self.root.appendingPathComponent("Experiments").path)
        #expect(answer.hasPrefix("\"#"))
        #expect(answer.contains("because of ["))
    }

    @Test("Every file that is linked exists")
    func everyFileThatIsLinkedExists() throws {
        let readme = try Self.text("README.md")
        let links = readme.matches(of: /\]\(([^)#:]+)\)/).map { String($0.1) }
        #expect(links.count >= 5)
        for link in links {
            #expect(FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(link).path), "\(link)")
        }
    }
}
