import Foundation
import TestSupport
import Testing

@Suite(.runsServer) struct StartFailureTests {
    /// Expects that a server does not start and says why.
    ///
    /// - Parameter status: 1, or 64 for a wrong setting.
    private func expectFailure(
        _ arguments: [String], _ parts: String..., environment: [String: String] = [:], status: Int32 = 1,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try ServerProgram.start(arguments, environment: environment)
        #expect(outcome.status == status, sourceLocation: location)
        let start = status == 1 ? "allot-server: " : "Error: "
        #expect(outcome.errorLines.contains { $0.hasPrefix(start) }, "\(outcome.errors)", sourceLocation: location)
        for part in parts {
            #expect(outcome.errors.contains(part), "\(outcome.errors)", sourceLocation: location)
        }
        #expect(!outcome.errors.contains("listening"), sourceLocation: location)
        #expect(!outcome.errors.contains("Fatal error"), sourceLocation: location)
    }

    @Test("A start with invalid definitions reports every problem")
    func everyProblemOfTheDefinitionsIsReported() throws {
        let folder = try ServerFolder()
        try folder.write(Fixture.brokenButton, to: "definitions/button.yaml")
        try folder.write("status: running\nvariants: []\n", to: "definitions/box.yaml")
        try expectFailure(
            folder.arguments, "/definitions/button.yaml:1:9: error: ", "running", "/definitions/button.yaml:4:",
            "Colour",
            "/definitions/box.yaml:2:", "; nothing is served until the errors are fixed")
        try expectFailure(["--definitions", folder.path("none"), "--exposures", folder.path("x")], folder.path("none"))
    }

    @Test("A start on a port in use fails with the fix")
    func takenPortIsReported() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let outcome = try ServerProgram.start([
            "--definitions", folder.definitions, "--exposures", folder.path("other.sqlite"), "--port", "\(server.port)",
        ])
        #expect(outcome.status == 1)
        #expect(outcome.errors.lowercased().contains("address already in use"), "\(outcome.errors)")
        #expect(outcome.errors.contains("\(server.port)"), "\(outcome.errors)")
        #expect(try server.get("/health/live").status == 200)
    }

    @Test("A name that cannot be one of this machine is reported with the fix")
    func unknownNameIsReported() throws {
        let folder = try ServerFolder()
        // Longer than a label of a name can be, so that no resolver is asked for it.
        let name = String(repeating: "a", count: 64)
        try expectFailure(
            folder.arguments + ["--hostname", name, "--open", "--port", "0"], "cannot listen on \(name):0 (",
            "use a name or an address of this machine")
    }

    @Test("A server that other machines can reach needs tokens or --open")
    func othersConnectWithTokensOnly() throws {
        let folder = try ServerFolder()
        try expectFailure(
            folder.arguments + ["--hostname", "0.0.0.0", "--port", "0"], "--hostname 0.0.0.0", "--tokens", "--open",
            status: 64)
        try expectFailure(
            folder.arguments, "--hostname ::", environment: ["ALLOT_HOSTNAME": "::", "ALLOT_PORT": "0"], status: 64)
        let open = try RunningServer(folder.arguments + ["--hostname", "0.0.0.0", "--open"])
        #expect(try open.get("/activeconfig/user/a").status == 200)
    }

    @Test("A start with a faulty list of tokens reports the line")
    func badTokensAreReported() throws {
        let folder = try ServerFolder()
        let file = try folder.write("configuration short\n", to: "tokens")
        try expectFailure(folder.arguments + ["--tokens", file], "\(file):1: the token has fewer than 20 characters")
        try expectFailure(
            folder.arguments + ["--tokens", folder.path("none")], "\(folder.path("none")) cannot be read")
        let lines = "configuration token-of-configurations-1"
        try expectFailure(
            folder.arguments + ["--open"], "exclude each other", environment: ["ALLOT_TOKENS": lines], status: 64)
        try expectFailure(
            folder.arguments + ["--tokens", file], "keep one of them", environment: ["ALLOT_TOKENS": lines], status: 64)
    }

    @Test("A start with the wrong TLS files reports them")
    func wrongTLSFilesAreReported() throws {
        let folder = try ServerFolder()
        let text = try folder.write("no certificate", to: "text.pem")
        let missing = folder.path("none.pem")
        try expectFailure(folder.arguments + ["--tls-certificate", text, "--tls-key", text], text, "PEM")
        try expectFailure(folder.arguments + ["--tls-certificate", missing, "--tls-key", text], missing, "PEM")
        let one = try Certificate(in: folder, name: "one")
        let other = try Certificate(in: folder, name: "other")
        try expectFailure(
            folder.arguments + ["--tls-certificate", one.certificate, "--tls-key", other.key], one.certificate,
            other.key,
            "belong together")
    }

    @Test(
        "A wrong command line is reported with the usage, and with the range or the values of a setting",
        arguments: [
            (["--prot", "80"], "Unknown option '--prot'. Did you mean '--port'?"),
            (["--port"], "Missing value for '--port <port>'"),
            (["Experiments"], "Unexpected argument 'Experiments'"),
            // Colours of a terminal.
            (["--\u{1B}[31m"], "Unknown option '--\\u001B[31m'"),
            (
                ["--log-level", "loud"],
                "there is no log level \"loud\"; the levels are trace, debug, info, notice, warning, error, critical"
            ),
        ])
    func wrongCommandLine(arguments: [String], message: String) throws {
        let folder = try ServerFolder()
        let outcome = try ServerProgram.start(folder.arguments + arguments)
        #expect(outcome.errorLines.first == "Error: \(message)")
        #expect(outcome.errorLines.contains { $0.hasPrefix("Usage: allot-server ") })
        #expect(outcome.errorLines.last == "  See 'allot-server --help' for more information.")
        #expect(outcome.text == "")
        #expect(outcome.status == 64)
    }

    @Test("Invalid UTF-8 in an argument is a usage error")
    func invalidUTF8() throws {
        let script = #"exec "$0" --definitions "$(printf 'a\377b')""#
        let outcome = try ServerProgram.run(
            URL(fileURLWithPath: "/bin/sh"), ["-c", script, try ServerProgram.url.get().path])
        #expect(outcome.errorLines.first?.hasPrefix("Error: Argument 2, \"a\u{FFFD}b\", is not UTF-8; ") == true)
        #expect(outcome.status == 64)
    }

    @Test("A faulty environment variable is reported by name, and a list by its entry")
    func badEnvironmentIsReported() throws {
        let folder = try ServerFolder()
        try expectFailure(folder.arguments + ["--cors-origin", "*"], "*", status: 64)
        try expectFailure(
            folder.arguments, "ALLOT_PORT http is not a whole number", environment: ["ALLOT_PORT": "http"], status: 64)
    }

    /// Flags go before the environment.
    @Test("The environment gives the settings that no flag gives")
    func environmentSetsWhatFlagsDoNot() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(
            ["--log-format", "text"],
            environment: [
                "ALLOT_DEFINITIONS": folder.definitions, "ALLOT_EXPOSURES": folder.path("exposures.sqlite"),
                "ALLOT_PORT": "1", "ALLOT_LOG_FORMAT": "json",
            ])
        #expect(server.lines.last?.hasPrefix("{") == false)
        #expect(try server.get("/health/ready").status == 200)
    }
}
