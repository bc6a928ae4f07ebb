import Foundation
import TestSupport
import Testing

private let tokens = ["ALLOT_TOKENS": "configuration token-of-configurations-1"]
/// Longer than a label of a name can be, so that no resolver is asked for it.
private let longName = String(repeating: "a", count: 64)

/// Settings in addition to those of a folder, for which "%" stands; the exit status, 64 for a wrong setting; and parts
/// of the report.
private let failures: [(arguments: String, environment: [String: String], status: Int32, parts: [String])] = [
    (
        "--definitions %/broken", [:], 1,
        [
            "/broken/button.yaml:1:9: error: ", "running", "/broken/button.yaml:4:", "Colour", "/broken/box.yaml:2:",
            "; nothing is served until the errors are fixed",
        ]
    ),
    ("--definitions %/none", [:], 1, ["%/none"]),
    (
        "--hostname \(longName) --open --port 0", [:], 1,
        ["cannot listen on \(longName):0 (", "use a name or an address of this machine"]
    ),
    ("--hostname 0.0.0.0 --port 0", [:], 64, ["--hostname 0.0.0.0", "--tokens", "--open"]),
    ("", ["ALLOT_HOSTNAME": "::", "ALLOT_PORT": "0"], 64, ["--hostname ::"]),
    ("--tokens %/short", [:], 1, ["%/short:1: the token has fewer than 20 characters"]),
    ("--tokens %/none", [:], 1, ["%/none cannot be read"]),
    ("--open", tokens, 64, ["exclude each other"]),
    ("--tokens %/short", tokens, 64, ["keep one of them"]),
    ("--tls-certificate %/short --tls-key %/short", [:], 1, ["%/short", "PEM"]),
    ("--tls-certificate %/none --tls-key %/short", [:], 1, ["%/none", "PEM"]),
    (
        "--tls-certificate %/one-certificate.pem --tls-key %/other-key.pem", [:], 1,
        ["%/one-certificate.pem", "%/other-key.pem", "belong together"]
    ),
    ("--signing-key %/none", [:], 1, ["%/none cannot be read"]),
    ("--signing-key %/short", [:], 1, ["%/short: there is no private key"]),
    ("--cors-origin *", [:], 64, ["*"]),
    ("", ["ALLOT_PORT": "http"], 64, ["ALLOT_PORT http is not a whole number"]),
]

@Suite(.runsServer) struct StartFailureTests {
    @Test("A start that cannot succeed ends with all its reasons, and with their places", arguments: failures.indices)
    func reasonsAreReported(number: Int) throws {
        let (arguments, environment, status, parts) = failures[number]
        let folder = try ServerFolder()
        try folder.writeDefinitions(
            "broken", ["button.yaml": Fixture.brokenButton, "box.yaml": "status: running\nvariants: []\n"])
        try folder.write("configuration short\n", to: "short")
        if arguments.contains("other-key") {
            for name in ["one", "other"] { _ = try Certificate(in: folder, name: name) }
        }
        func text(_ text: String) -> String { text.replacing("%/", with: folder.path("")) }
        let outcome = try ServerProgram.start(
            folder.arguments + text(arguments).split(separator: " ").map(String.init), environment: environment)
        #expect(outcome.status == status, "\(outcome.errors)")
        let start = status == 1 ? "allot-server: " : "Error: "
        #expect(outcome.errorLines.contains { $0.hasPrefix(start) }, "\(outcome.errors)")
        for part in parts { #expect(outcome.errors.contains(text(part)), "\(outcome.errors)") }
        #expect(!outcome.errors.contains("listening"))
        #expect(!outcome.errors.contains("Fatal error"))
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

    @Test("A server that other machines can reach starts with --open")
    func othersConnect() throws {
        let folder = try ServerFolder()
        let open = try RunningServer(folder.arguments + ["--hostname", "0.0.0.0", "--open"])
        #expect(try open.get("/activeconfig/user/a").status == 200)
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
}
