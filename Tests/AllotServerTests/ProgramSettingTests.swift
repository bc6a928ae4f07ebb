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

    @Test(
        "What is not a time in the range is refused with the form",
        arguments: ["", "s", "11m", "5 s", "601", "-1s", "5s\u{301}"])
    func wrongSeconds(text: String) {
        let error = #expect(throws: StartFailure.self) {
            try SettingLookup(environment: [:]).seconds(text, "ALLOT_DRAIN", 0...600)
        }
        #expect(error?.description == "--drain \(text) is not a time of 0s to 600s; write it as 30s or 5m")
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
