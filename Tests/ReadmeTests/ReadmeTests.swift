import AllotConfiguration
import Foundation
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

/// The README and the articles tell the truth: what they show is compiled and run.
@Suite(.blocks) struct ReadmeTests {
    @Test(
        "A snippet in a document is the file that is compiled here",
        arguments: [
            ("README.md", "Embedding"),
            ("Sources/Allot/Allot.docc/EmbeddingTheEngine.md", "Embedding"),
            ("Sources/AllotServer/AllotServer.docc/MountingTheRoutes.md", "Mounting"),
        ])
    func snippetIsTheCompiledFile(document: String, snippet: String) throws {
        let compiled = try Document("Tests/ReadmeTests/\(snippet).swift").text
        #expect(try Document(document).text.contains("```swift\n\(compiled)```"))
    }

    @Test("The changelog has a section for the version that programs report")
    func changelogHasVersion() throws {
        #expect(try Document("CHANGELOG.md").text.contains("\n## [\(AllotVersion.number)] - "))
    }

    @Test(
        "A program that an article shows whole is the one that the tests run, and short",
        arguments: [
            ("embedded/EmbeddedServer", "Sources/AllotServing/AllotServing.docc/WithoutHummingbird.md", 150),
            ("first-app/FirstApp", "Sources/AllotClient/AllotClient.docc/InYourApp.md", 40),
        ])
    func shownProgramIsWhatRuns(name: String, article: String, limit: Int) throws {
        let program = try Document("Experiments/\(name).swift").text
        #expect(try Document(article).text.contains("```swift-fragment\n\(program)```"))
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= limit)
    }

    /// The lines of the systems' own samples, without comments and blank lines.
    @Test("A sample of another system takes no more lines here, and unwraps nothing by force")
    func samplesAreShort() throws {
        let samples = Example.all(in: try Document("Sources/AllotClient/AllotClient.docc/SamplesOfOtherSystems.md"))
        let theirs = [("Parse", 16), ("Appfigurate", 24), ("Firebase", 21), ("MSActiveConfig", 14), ("Flurry", 15)]
        #expect(samples.count == theirs.count)
        for (sample, (system, limit)) in zip(samples, theirs) {
            #expect(sample.code.count { $0.contains { $0 != " " } } <= limit, "\(system)")
            #expect(!sample.code.contains { $0.contains(/[\w\)\]]!(?!=)/) }, "\(system)")
        }
    }

    @Test("The mounted routes answer, and the application keeps its own")
    func mountedRoutesAnswer() async throws {
        let application = try makeApplication(definitions: Document.root.appendingPathComponent("Experiments").path)
        try await application.test(.router) { client in
            let answer = try await client.execute(uri: "/activeconfig/user/user-42", method: .get)
            #expect(answer.status == .ok)
            #expect(String(buffer: answer.body).hasPrefix(#"{"config_sections":"#))
            #expect(String(buffer: try await client.execute(uri: "/", method: .get).body) == "the shop")
        }
    }

    @Test("The embedded engine says what a user gets and why")
    func embeddedEngineAnswers() throws {
        let answer = try checkoutForUser(folder: Document.root.appendingPathComponent("Experiments").path)
        #expect(answer.hasPrefix("#1a7f37, because of ["))
        #expect(answer.contains("buy-button=large-green"))
    }

    @Test("The hash in ten lines of Python computes the buckets that its comments name")
    func hashInTenLinesRuns() throws {
        let article = try Document("Sources/Allot/Allot.docc/TheHash.md").text
        let program = try #require(article.firstMatch(of: /```python\n((?s:.)*?)```/)?.1)
        let outcome = try Outcome(of: URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", String(program)])
        #expect(outcome.text == "448386 428254 True control\n")
        #expect(program.contains("# 448386, 428254"))
    }

    /// What continuous integration needs beyond it are engines for comparisons.
    @Test("Continuous integration installs the packages that the README names, and no other library")
    func packagesAreThoseOfContinuousIntegration() throws {
        func packages(_ document: String) throws -> Set<Substring> {
            let installations = try Document(document).text.replacing("\\\n", with: " ").split(separator: "\n")
                .filter { $0.contains("apt-get install") }
            return Set(
                installations.flatMap { line in
                    line.matches(of: /\bz?lib[a-z0-9-]+-dev\b|\bgit\b|python3-jsonschema|openssl/).map(\.output)
                })
        }
        let named = try packages("README.md")
        #expect(named.contains("libyaml-dev"))
        #expect(try packages(".ci/run") == named)
        #expect(try packages(".github/CONTRIBUTING.md") == named)
    }

    @Test("The README has at most 200 lines")
    func readmeIsShort() throws {
        #expect(try Document("README.md").lines.count <= 200)
    }

    /// DocC's own links, `doc:Article`, lead nowhere on a code host; `.ci/documentation` makes them of links to files.
    @Test("Every link of a document leads to a file, to a heading or to another site", arguments: Document.all)
    func linksLeadSomewhere(_ document: Document) throws {
        let folder = Document.root.appendingPathComponent(document.path).deletingLastPathComponent()
        let links = document.text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        #expect(document.path != "README.md" || links.count >= 20)
        for link in links where !link.hasPrefix("https://") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let file = parts[0].isEmpty ? document.path : parts[0]
            let url = (parts[0].isEmpty ? Document.root : folder).appendingPathComponent(file)
            #expect(FileManager.default.fileExists(atPath: url.path), "\(link)")
            if parts.count == 2 {
                let headings = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter {
                    $0.hasPrefix("#")
                }
                #expect(headings.map(Self.anchor).contains(parts[1]), "\(link)")
            }
        }
    }

    /// The part of a link that leads to a heading, as code hosts make it.
    private static func anchor(of heading: Substring) -> String {
        let text = heading.drop { $0 == "#" || $0 == " " }.lowercased()
        return String(text.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
    }

    @Test("An article is named by a link, and by DocC's name in the list of a catalogue only", arguments: Document.all)
    func articlesAreLinked(_ document: Document) {
        for line in document.lines {
            #expect(!line.contains("](doc:"), "\(line)")
            #expect(!line.contains("<doc:") || line.wholeMatch(of: /- <doc:\w+>/) != nil, "\(line)")
            #expect(line.firstMatch(of: /"[^"]+" (?:in|of) `Allot/) == nil, "\(line)")
        }
    }
}
