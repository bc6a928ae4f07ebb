import NIOCore
import SystemLibrary
import Testing

@testable import AllotServer
@testable import allot_server

/// The reading of the program's settings, and the failure of a server that cannot listen.
struct ProgramSettingTests {
    @Test(
        "Times are written with the letter of their unit, seconds also without, in flags and in the environment",
        arguments: [("5", 5), ("5s", 5), ("0s", 0), ("0", 0), ("600", 600), ("5m", 300)])
    func seconds(text: String, count: Int) throws {
        let lookup = SettingLookup(environment: ["ALLOT_DRAIN": text])
        #expect(try lookup.seconds(nil, "ALLOT_DRAIN", 0...600) == .seconds(count))
        #expect(try lookup.seconds(text, "ALLOT_REQUEST_TIMEOUT", 0...600) == .seconds(count))
        #expect(try lookup.seconds(nil, "ALLOT_REQUEST_TIMEOUT", 0...600) == nil)
    }

    /// Flags, and the message about them; without flags a variable is wrong.
    static let wrong: [([String], String)] = [
        (["--port", "http"], "--port http is not a whole number from 0 to 65535"),
        (["--port", "65536"], "--port 65536 is not a whole number from 0 to 65535"),
        (["--max-connections", "0"], "--max-connections 0 is not a whole number from 1 to 1000000"),
        (["--max-connections", "1e6"], "--max-connections 1e6 is not a whole number from 1 to 1000000"),
        (["--max-event-streams", "many"], "--max-event-streams many is not a whole number from 0 to 1000000"),
        (["--max-settings", "1.5"], "--max-settings 1.5 is not a whole number from 1 to 1000000000"),
        (["--max-value-bytes", "1M"], "--max-value-bytes 1M is not a whole number from 1 to 1000000000"),
        (["--request-timeout", "0"], "--request-timeout 0 is not a time of 1s to 3600s; write it as 30s or 5m"),
        (
            ["--exposure-retention", "400"],
            "--exposure-retention 400 is not a time of 1d to 36500d; write it as 400d or 52w"
        ),
        (
            ["--exposure-retention", "0d"],
            "--exposure-retention 0d is not a time of 1d to 36500d; write it as 400d or 52w"
        ),
        (
            ["--fetch-interval", "53w"],
            "--fetch-interval 53w is not a time of 0s to 31536000s; write it as 30s or 5m"
        ),
        (["--log-format", "xml"], "there is no log format \"xml\"; the formats are text, json"),
        (["--tls-key", "x"], "TLS needs both --tls-certificate and --tls-key; add the missing one"),
        ([], "ALLOT_DRAIN 5x is not a time of 0s to 600s; write it as 30s or 5m"),
        (["--drain=s"], "--drain s is not a time of 0s to 600s; write it as 30s or 5m"),
        (["--drain=11m"], "--drain 11m is not a time of 0s to 600s; write it as 30s or 5m"),
        (["--drain=5 s"], "--drain 5 s is not a time of 0s to 600s; write it as 30s or 5m"),
        (["--drain=601"], "--drain 601 is not a time of 0s to 600s; write it as 30s or 5m"),
        (["--drain=-1s"], "--drain -1s is not a time of 0s to 600s; write it as 30s or 5m"),
        (["--drain=5s\u{301}"], "--drain 5s\u{301} is not a time of 0s to 600s; write it as 30s or 5m"),
    ]

    @Test("A wrong setting is reported with its flag or variable, and its range or values", arguments: wrong)
    func wrongSettings(arguments: [String], message: String) throws {
        let settings = try ServerSettings.parse(arguments)
        let lookup = SettingLookup(environment: arguments.isEmpty ? ["ALLOT_DRAIN": "5x"] : [:])
        let failure = #expect(throws: StartFailure.self) {
            _ = try settings.program(lookup)
            _ = try settings.log(lookup)
        }
        #expect(failure?.description == message)
    }

    @Test("Long times are written as all durations are", arguments: [("400d", 400), ("52w", 364), ("48h", 2)])
    func days(text: String, count: Int) throws {
        let lookup = SettingLookup(environment: [:])
        #expect(try lookup.days(text, "ALLOT_EXPOSURE_RETENTION") == .seconds(count * 86_400))
    }

    @Test(
        "The fix for a server that cannot listen is that for the cause",
        arguments: [
            (EADDRINUSE, "stop the program that listens there, or use another name or port"),
            (EMFILE, "raise the limit of open files (ulimit -n, LimitNOFILE=)"),
            (ENFILE, "raise the system's limit of open files (fs.file-max), or end programs that have many open"),
        ])
    func listening(code: Int32, fix: String) {
        let failure = StartFailure(IOError(errnoCode: code, reason: "bind"), listeningOn: "127.0.0.1:8080")
        #expect(failure.description.hasPrefix("cannot listen on 127.0.0.1:8080 ("))
        #expect(failure.description.hasSuffix("); \(fix)"))
    }
}
