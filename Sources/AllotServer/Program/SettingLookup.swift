import AllotConfiguration
import NIOCore
import SystemLibrary

/// The reason for which the server does not start.
package struct StartFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// The server cannot listen on an address.
    init(_ error: IOError, listeningOn address: String) {
        let fix =
            switch error.errnoCode {
            case EMFILE: "raise the limit of open files (ulimit -n, LimitNOFILE=)"
            case ENFILE: "raise the system's limit of open files (fs.file-max), or end programs that have many open"
            default: "stop the program that listens there, or use another address with --hostname or --port"
            }
        self.init("cannot listen on \(address) (\(error)); \(fix)")
    }

    /// The server cannot listen on an address whose name is not known.
    init(_ error: SocketAddressError.UnknownHost, listeningOn address: String) {
        self.init(
            "cannot listen on \(address) (\(error.errorDescription)); use a name or an address of this machine with "
                + "--hostname")
    }
}

/// Looks up settings in the environment that no flag gives.
package struct SettingLookup {
    private let environment: [String: String]

    package init(environment: [String: String]) {
        self.environment = environment
    }

    /// The words of a setting that may be given several times. Returns `nil` if there are none.
    package func list(_ given: [String], _ variable: String) -> [String]? {
        let words = given.isEmpty ? (environment[variable] ?? "").split(separator: " ").map(String.init) : given
        return words.isEmpty ? nil : words
    }

    /// The text of a setting.
    package func text(_ given: String?, _ variable: String) -> String? {
        given ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The number of a setting, which has to be in a range.
    package func number(_ given: String?, _ variable: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let text = text(given, variable) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw StartFailure(
                "\(name(variable, isGiven: given != nil)) \(text) is not a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
        return number
    }

    /// A time of one day to a century, written as 400d or 52w.
    package func days(_ given: String?, _ variable: String) throws -> Duration? {
        let days = 1...36_500
        return try time(
            given, variable, days.lowerBound * 86_400...days.upperBound * 86_400,
            "\(days.lowerBound)d to \(days.upperBound)d; write it as 400d or 52w", { _ in nil }
        ).map { .seconds($0) }
    }

    /// A number of seconds, written as 300s, 5m or 300.
    package func seconds(_ given: String?, _ variable: String, _ range: ClosedRange<Int>) throws -> Int? {
        let form = "\(range.lowerBound)s to \(range.upperBound)s; write it as 30s or 5m"
        return try time(given, variable, range, form) { Int($0) }
    }

    /// A time in seconds.
    ///
    /// - Parameters:
    ///   - form: The range in words, and examples of it.
    ///   - number: Reads a number without a unit as seconds; returns `nil` for other texts.
    private func time(
        _ given: String?, _ variable: String, _ range: ClosedRange<Int>, _ form: String, _ number: (String) -> Int?
    ) throws -> Int? {
        guard let text = text(given, variable) else { return nil }
        let seconds = number(text) ?? TimeSpan(text, allowsNone: true).map { Int($0.seconds) }
        guard let seconds, range.contains(seconds) else {
            throw StartFailure(
                "\(name(variable, isGiven: given != nil)) \(text) is not a time of \(form)")
        }
        return seconds
    }

    /// What messages call a setting: ALLOT_LOG_LEVEL is --log-level.
    private func name(_ variable: String, isGiven: Bool) -> String {
        isGiven ? "--" + variable.dropFirst("ALLOT_".count).lowercased().replacing("_", with: "-") : variable
    }

    /// One of several values.
    package func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ given: String?, _ variable: String, _ noun: String
    ) throws -> Value? {
        guard let text = text(given, variable) else { return nil }
        guard let value = Value(rawValue: text) else {
            let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw StartFailure(
                "there is no log \(noun) \(QuotedText(text)); the \(noun)s are \(all)")
        }
        return value
    }

    /// Where the tokens are.
    package func tokens(_ given: String?) throws -> TokenSource? {
        switch (text(given, "ALLOT_TOKENS_FILE"), text(nil, "ALLOT_TOKENS")) {
        case (nil, nil): return nil
        case (let file?, nil): return .file(file)
        case (nil, let lines?): return .list(try AccessTokens(parsing: lines, name: "ALLOT_TOKENS"))
        default: throw StartFailure("there are tokens in a file and in ALLOT_TOKENS; keep one of them")
        }
    }
}

/// Where tokens are.
package enum TokenSource {
    /// In a file, which may be read again.
    case file(String)
    /// In the environment itself.
    case list(AccessTokens)
}
