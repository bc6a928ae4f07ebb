import AllotConfiguration
import AllotDefinitions
import AllotFiles
import Foundation
import TestSupport
import Testing

/// The samples in `Experiments/deploy`: they agree with the server and with each other.
@Suite(.runsServer) struct DeploymentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let samples = ["allot-server.service", "Containerfile", "compose.yaml", "kubernetes.yaml"]

    /// The text of a file of the repository.
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func sample(_ name: String) throws -> String {
        try text("Experiments/deploy/\(name)")
    }

    /// The stage of the container file that becomes the image.
    private struct Image {
        private let instructions: [(word: Substring, rest: Substring)]

        init() throws {
            let lines = try DeploymentTests.sample("Containerfile").split(separator: "\n").filter { !$0.hasPrefix("#") }
            let all = lines.joined(separator: "\n").replacing("\\\n", with: "").split(separator: "\n").map { line in
                (word: line.prefix { $0 != " " }, rest: line.drop { $0 != " " }.dropFirst())
            }
            let start = try #require(all.lastIndex { $0.word == "FROM" })
            instructions = Array(all[start...])
        }

        func values(_ word: String) -> [Substring] {
            instructions.filter { $0.word == word }.map { $0.rest }
        }

        var environment: [Substring: Substring] {
            let pairs = values("ENV").flatMap { $0.split(separator: " ") }
                .map { $0.split(separator: "=", maxSplits: 1) }
            return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        }

        /// The folder of the exposures.
        var data: String {
            String(environment["ALLOT_EXPOSURES"]?.split(separator: "/").dropLast().joined(separator: "/") ?? "")
        }
    }

    /// The documents of a YAML file.
    private static func documents(_ name: String) throws -> [JSONValue] {
        try sample(name).split(separator: "\n---\n").map { text in
            let tree = SourceTree(Array(text.utf8), file: name)
            #expect(tree.problems.isEmpty, "\(tree.problems)")
            return try #require(tree.root).json
        }
    }

    private static func composeService() throws -> JSONValue {
        try #require(try documents("compose.yaml").first?["services"]?["allot"])
    }

    private static func pod() throws -> JSONValue {
        let deployment = try #require(try documents("kubernetes.yaml").first { $0["kind"]?.text == "Deployment" })
        return try #require(deployment["spec"]?["template"]?["spec"])
    }

    private static func elements(_ value: JSONValue?) -> [JSONValue] {
        guard case .array(let elements)? = value else { return [] }
        return elements
    }

    /// The value that the unit gives to a key, the last if there are several.
    private static func unit(_ key: String) throws -> String {
        let lines = try sample("allot-server.service").split(separator: "\n")
        return String(try #require(lines.last { $0.hasPrefix(key + "=") }).dropFirst(key.count + 1))
    }

    /// The number of seconds in a text such as `30s`.
    private static func seconds(_ text: some StringProtocol) throws -> Int {
        try #require(Int(text.hasSuffix("s") ? String(text.dropLast()) : String(text)))
    }

    private static func help() throws -> String {
        try ServerProgram.start(["--help"]).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("A sample sets variables that the server has, and no others", arguments: samples)
    func variables(sample: String) throws {
        let variable = /ALLOT_[A-Z_]+/
        let known = Set(try Self.help().matches(of: variable).map { String($0.output) })
        let set = Set(try Self.sample(sample).matches(of: variable).map { String($0.output) })
        #expect(!set.isEmpty)
        #expect(set.subtracting(known) == [])
    }

    @Test("The samples agree on the port, the user and the folders")
    func agreement() throws {
        let image = try Image()
        let service = try Self.composeService()
        let pod = try Self.pod()
        let container = try #require(pod["containers"]?[0])

        let port = String(try #require(image.values("EXPOSE").first))
        #expect(try Self.help().contains("[ALLOT_PORT, \(port)]"))
        #expect(service["ports"]?[0]?.text == "\(port):\(port)")
        #expect(container["ports"]?[0]?["containerPort"]?.canonicalText == port)
        let kubernetes = try #require(try Self.documents("kubernetes.yaml").last)
        #expect(kubernetes["kind"]?.text == "Service")
        #expect(kubernetes["spec"]?["ports"]?[0]?["targetPort"] == container["ports"]?[0]?["name"])

        // A number that is not root's.
        let user = String(try #require(image.values("USER").last))
        let number = try #require(user.wholeMatch(of: /([1-9][0-9]*):([1-9][0-9]*)/))
        #expect(service["user"]?.text == user)
        #expect(pod["securityContext"]?["runAsUser"]?.canonicalText == String(number.1))
        #expect(pod["securityContext"]?["runAsGroup"]?.canonicalText == String(number.2))
        #expect(pod["securityContext"]?["fsGroup"]?.canonicalText == String(number.2))

        let definitions = String(try #require(image.environment["ALLOT_DEFINITIONS"]))
        let data = "/" + image.data
        #expect(image.values("RUN").contains { $0.contains(data) })
        let volumes = Self.elements(service["volumes"]).compactMap { $0.text?.split(separator: ":").dropFirst().first }
        #expect(volumes.map(String.init) == [definitions, data])
        #expect(service["tmpfs"] == ["/tmp"])
        let mounts = Self.elements(container["volumeMounts"])
        #expect(mounts.map { $0["mountPath"]?.text } == [definitions, data, "/tmp"])
        #expect(mounts.map { $0["name"] } == Self.elements(pod["volumes"]).map { $0["name"] })
        #expect(service["image"] == container["image"])
    }

    @Test("Containers run without root, on a root that is read-only, without capabilities")
    func isolation() throws {
        let service = try Self.composeService()
        #expect(service["read_only"] == true)
        #expect(service["cap_drop"] == ["ALL"])
        #expect(service["security_opt"] == ["no-new-privileges:true"])
        let pod = try Self.pod()
        #expect(pod["automountServiceAccountToken"] == false)
        #expect(pod["securityContext"]?["runAsNonRoot"] == true)
        #expect(pod["securityContext"]?["seccompProfile"]?["type"]?.text == "RuntimeDefault")
        let container = try #require(pod["containers"]?[0]?["securityContext"])
        #expect(container["allowPrivilegeEscalation"] == false)
        #expect(container["readOnlyRootFilesystem"] == true)
        #expect(container["capabilities"]?["drop"] == ["ALL"])
    }

    @Test("Tokens come from secrets")
    func secrets() throws {
        let service = try Self.composeService()
        let secret = try #require(service["secrets"]?[0]?.text)
        #expect(service["environment"]?["ALLOT_TOKENS_FILE"]?.text == "/run/secrets/\(secret)")
        #expect(try Self.documents("compose.yaml").first?["secrets"]?[secret]?["file"] != nil)
        let variables = Self.elements(try Self.pod()["containers"]?[0]?["env"])
        let tokens = try #require(variables.first { $0["name"]?.text == "ALLOT_TOKENS" })
        #expect(tokens["valueFrom"]?["secretKeyRef"]?["name"] != nil)
        #expect(tokens["value"] == nil)
    }

    @Test("Probes and the health check find a server that lives, and notice one that does not")
    func probes() throws {
        let server = try RunningServer(try ServerFolder())
        let container = try #require(try Self.pod()["containers"]?[0])
        for (probe, path) in [
            ("startupProbe", "/health/live"), ("livenessProbe", "/health/live"), ("readinessProbe", "/health/ready"),
        ] {
            #expect(container[probe]?["httpGet"]?["path"]?.text == path)
            #expect(container[probe]?["httpGet"]?["port"] == container["ports"]?[0]?["name"])
            #expect(try server.get(path).status == 200)
        }
        let check = try #require(try Image().values("HEALTHCHECK").first?.firstMatch(of: /CMD (\[.*\])/)?.1)
        let command = Self.elements(try JSONValue(parsing: Array(check.utf8))).compactMap(\.text)
        func health() throws -> Int32 {
            try ServerProgram.run(
                URL(filePath: "/usr/bin/env"), command, environment: ["ALLOT_PORT": "\(server.port)"]
            ).status
        }
        #expect(try health() == 0)
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
        #expect(try health() == 1)
    }

    @Test("Each sample gives the server the time that its end may take")
    func end() throws {
        let article = try Self.text("Sources/AllotServer/AllotServer.docc/RunningTheServer.md")
            .replacing("\n", with: " ")
        let times = try #require(
            article.firstMatch(of: /the time of draining and (\d+) seconds more, or (\d+) with PostgreSQL/)
        ).output
        let (usual, withPostgreSQL) = (try Self.seconds(times.1), try Self.seconds(times.2))

        let unit = try Self.sample("allot-server.service")
        let draining = try Self.seconds(try #require(unit.firstMatch(of: /ALLOT_DRAIN=(\d+s)/)?.1))
        #expect(try Self.seconds(try Self.unit("TimeoutStopSec")) >= draining + withPostgreSQL)

        let imageDraining = try Self.seconds(try #require(try Image().environment["ALLOT_DRAIN"]))
        let grace = try #require(try Self.composeService()["stop_grace_period"]?.text)
        #expect(try Self.seconds(grace) >= imageDraining + usual)
        let termination = try #require(try Self.pod()["terminationGracePeriodSeconds"]?.canonicalText)
        #expect(try Self.seconds(termination) >= imageDraining + usual)
    }

    @Test("The unit waits for what the server reports, and reloads it with SIGHUP")
    func unit() throws {
        #expect(try Self.unit("Type") == "notify")
        #expect(try Self.unit("ExecReload") == "/bin/kill -HUP $MAINPID")
        #expect(try Self.unit("RestartPreventExitStatus") == "64")
    }

    private static let analyser = "/usr/bin/systemd-analyze"

    @Test(
        "systemd rates what the unit leaves open below 2 of 10",
        .enabled(if: FileManager.default.isExecutableFile(atPath: analyser), "there is no \(analyser)"))
    func exposure() throws {
        let path = Self.root.appending(path: "Experiments/deploy/allot-server.service").path
        let outcome = try ServerProgram.run(
            URL(filePath: Self.analyser), ["security", "--offline=true", "--threshold=20", "--no-pager", path])
        #expect(outcome.status == 0, "\(outcome.text.suffix(200))\(outcome.errors)")
    }

    @Test("A build of the image gets all that the package names, with the libraries of the README")
    func build() throws {
        let rules = try Self.text(".containerignore").split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(rules.first == "*")
        let kept = Set(rules.filter { $0.hasPrefix("!") }.map { $0.dropFirst() })
        let package = try Self.text("Package.swift")
        let folders = package.matches(of: /path: "([^"\/]+)/).map { $0.1 }
        #expect(Set(folders + ["Package.swift", "Sources", "Tests"]).subtracting(kept) == [])
        #expect(rules.contains("Experiments/deploy"))
        let link = Self.root.appending(path: ".dockerignore").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == ".containerignore")

        func libraries(_ text: String) -> Set<Substring> {
            Set(text.matches(of: /\b(?:lib|zlib)[a-z0-9-]+-dev\b/).map(\.output))
        }
        let named = libraries(try Self.text("README.md"))
        #expect(named.contains("zlib1g-dev"))
        #expect(libraries(try Self.sample("Containerfile")) == named)
    }
}
