import AllotFiles
import NIOCore
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

    /// The flags, values that they refuse, and the form that they take.
    static let wrong: [(flag: String, values: [String], form: String)] = [
        ("port", ["http", "65536"], "whole number from 0 to 65535"),
        ("max-connections", ["0", "1e6"], "whole number from 1 to 1000000"),
        ("max-event-streams", ["many"], "whole number from 0 to 1000000"),
        ("max-settings", ["1.5"], "whole number from 1 to 1000000000"),
        ("max-value-bytes", ["1M"], "whole number from 1 to 1000000000"),
        ("request-timeout", ["0"], "time of 1s to 3600s; write it as 30s or 5m"),
        ("exposure-retention", ["400", "0d"], "time of 1d to 36500d; write it as 400d or 52w"),
        ("fetch-interval", ["53w"], "time of 0s to 31536000s; write it as 30s or 5m"),
        ("drain", ["s", "11m", "5 s", "601", "-1s", "5s\u{301}"], "time of 0s to 600s; write it as 30s or 5m"),
    ]

    @Test("A wrong setting is reported by its flag or its variable, with the range")
    func wrongSettings() throws {
        func message(_ arguments: [String], _ environment: [String: String]) throws -> String? {
            let settings = try ServerSettings.parse(arguments)
            let failure = #expect(throws: StartFailure.self) {
                try settings.program(SettingLookup(environment: environment))
            }
            return failure?.description
        }
        for (flag, values, form) in Self.wrong {
            let variable = "ALLOT_" + flag.uppercased().replacing("-", with: "_")
            for value in values {
                let end = "\(value) is not a \(form)"
                #expect(try message(["--\(flag)=\(value)"], [:]) == "--\(flag) \(end)")
                #expect(try message([], [variable: value]) == "\(variable) \(end)")
            }
        }
        let single = "TLS needs both --tls-certificate and --tls-key; add the missing one"
        #expect(try message(["--tls-key", "x"], [:]) == single)
        let open = try message(["--allow-editing", "--open"], [:])
        #expect(open?.hasPrefix("--allow-editing needs tokens") == true)
    }

    @Test("A setting is its flag, else its variable, else its default")
    func precedence() throws {
        let lookup = SettingLookup(environment: [
            "ALLOT_DEFINITIONS": "d", "ALLOT_EXPOSURES": "none", "ALLOT_HOSTNAME": "", "ALLOT_PORT": "1",
            "ALLOT_EXPOSURE_RETENTION": "2d", "ALLOT_LOG_FORMAT": "json",
        ])
        let settings = try ServerSettings.parse(["--port", "2", "--log-format", "text"])
        let program = try settings.program(lookup)
        #expect(program.definitions == "d")
        #expect(program.exposures == nil)
        #expect(program.hostname == "127.0.0.1")
        #expect(program.port == 2)
        #expect(program.exposureRetention == .seconds(2 * 86_400))
        #expect(try settings.log(lookup).format == .text)
        #expect(try ServerSettings.parse([]).log(lookup).format == .json)
    }

    @Test("Origins come from flags or the environment")
    func origins() throws {
        let sources: [(arguments: [String], environment: [String: String])] = [
            (["--cors-origin", "https://a.example", "--cors-origin", "https://b.example"], [:]),
            ([], ["ALLOT_CORS_ORIGIN": "https://a.example https://b.example"]),
        ]
        for (arguments, environment) in sources {
            let settings = try ServerSettings.parse(arguments).program(SettingLookup(environment: environment))
            let origins = try #require(settings.origins)
            #expect(origins.contains("https://a.example"))
            #expect(origins.contains("https://b.example"))
            #expect(!origins.contains("https://c.example"))
        }
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
        let error = IOError(errnoCode: code, reason: "bind")
        let failure = "\(StartFailure.listening(on: "127.0.0.1:8080", error))"
        #expect(failure.hasPrefix("cannot listen on 127.0.0.1:8080 ("))
        #expect(failure.hasSuffix("); \(fix)"))
    }
}
