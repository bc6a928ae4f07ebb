import Foundation
import TestSupport
import Testing

@Suite(.runsServer) struct StartFailureTests {
    /// Expects that a server does not start and says why.
    private func expectFailure(
        _ arguments: [String], _ parts: String..., environment: [String: String] = [:],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try ServerProgram.start(arguments, environment: environment)
        #expect(outcome.status == 1, sourceLocation: location)
        for part in parts {
            #expect(outcome.errors.contains(part), "\(outcome.errors)", sourceLocation: location)
        }
        #expect(!outcome.errors.contains("listening"), sourceLocation: location)
        #expect(!outcome.errors.contains("Fatal error"), sourceLocation: location)
    }

    @Test("A start with invalid definitions reports every problem")
    func everyProblemOfTheDefinitionsIsTold() throws {
        let folder = try ServerFolder()
        try folder.write(Fixture.brokenButton, to: "definitions/button.yaml")
        try folder.write("status: running\nvariants: []\n", to: "definitions/box.yaml")
        try expectFailure(
            folder.arguments, "/definitions/button.yaml:1:9: error: ", "running", "/definitions/button.yaml:4:",
            "Colour",
            "/definitions/box.yaml:2:")
        try expectFailure(["--definitions", folder.path("none"), "--exposures", folder.path("x")], folder.path("none"))
    }

    @Test("A start on a port in use fails with the fix")
    func takenPortIsTold() throws {
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

    @Test("A server that other machines can reach needs tokens or --open")
    func othersConnectWithTokensOnly() throws {
        let folder = try ServerFolder()
        try expectFailure(
            folder.arguments + ["--hostname", "0.0.0.0", "--port", "0"], "--hostname 0.0.0.0", "--tokens", "--open")
        try expectFailure(
            folder.arguments, "--hostname ::", environment: ["ALLOT_HOSTNAME": "::", "ALLOT_PORT": "0"])
        let open = try RunningServer(folder.arguments + ["--hostname", "0.0.0.0", "--open"])
        #expect(try open.get("/activeconfig/user/a").status == 200)
    }

    @Test("A start with a faulty list of tokens reports the line")
    func badTokensAreTold() throws {
        let folder = try ServerFolder()
        let file = try folder.write("configuration short\n", to: "tokens")
        try expectFailure(folder.arguments + ["--tokens", file], "\(file):1: the token has fewer than 20 characters")
        try expectFailure(
            folder.arguments + ["--tokens", folder.path("none")], "\(folder.path("none")) cannot be read")
        let lines = "configuration token-of-configurations-1"
        try expectFailure(
            folder.arguments + ["--open"], "exclude each other", environment: ["ALLOT_TOKENS": lines])
        try expectFailure(
            folder.arguments + ["--tokens", file], "keep one of them", environment: ["ALLOT_TOKENS": lines])
    }

    @Test("A start with the wrong TLS files reports them")
    func wrongTLSFilesAreTold() throws {
        let folder = try ServerFolder()
        let text = try folder.write("no certificate", to: "text.pem")
        let missing = folder.path("none.pem")
        try expectFailure(folder.arguments + ["--tls-certificate", text], "--tls-key; add the missing one")
        try expectFailure(folder.arguments + ["--tls-key", text], "add the missing one")
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
        "A setting out of range is reported with its range",
        arguments: [
            (["--port", "65536"], "--port 65536 is not a whole number from 0 to 65535"),
            (["--request-timeout", "0"], "--request-timeout 0 is not a time of 1s to 3600s; write it as 30s or 5m"),
            (["--max-connections", "0"], "is not a whole number from 1 to 1000000"),
            (["--exposure-retention", "400"], "-retention 400 is not a time of 1d to 36500d; write it as 400d or 52w"),
            (["--exposure-retention", "0d"], "is not a time of 1d"),
            (["--fetch-interval", "53w"], "--fetch-interval 53w is not a time of 0s to 31536000s; write it as"),
            (["--drain", "5x"], "--drain 5x is not a time of 0s to 600s; write it as"),
            (["--drain", "601s"], "is not a time of 0s"),
            (["--log-level", "loud"], "no log level \"loud\""),
            (["--log-format", "xml"], "no log format \"xml\""),
        ])
    func badSettingsAreTold(arguments: [String], part: String) throws {
        let folder = try ServerFolder()
        try expectFailure(folder.arguments + arguments, part)
    }

    @Test("A faulty environment variable is reported by name")
    func badEnvironmentIsTold() throws {
        let folder = try ServerFolder()
        try expectFailure(
            folder.arguments, "ALLOT_PORT http is not a whole number", environment: ["ALLOT_PORT": "http"])
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
