import AllotConfiguration
import AllotServer

/// Looks up settings in the environment that no flag gives.
struct SettingLookup {
    let environment: [String: String]

    /// The words of a setting that may be given several times. Returns `nil` if there are none.
    func list(_ given: [String], _ variable: String) -> [String]? {
        let words = given.isEmpty ? (environment[variable] ?? "").split(separator: " ").map(String.init) : given
        return words.isEmpty ? nil : words
    }

    func text(_ given: String?, _ variable: String) -> String? {
        given ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    func number(_ given: String?, _ variable: String, _ range: ClosedRange<Int>) throws -> Int? {
        try read(given, variable, "whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A time of one day to a century, written as 400d or 52w.
    func days(_ given: String?, _ variable: String) throws -> Duration? {
        let days = 1...36_500
        let form = "\(days.lowerBound)d to \(days.upperBound)d; write it as 400d or 52w"
        return try time(given, variable, days.lowerBound * 86_400...days.upperBound * 86_400, form) { _ in nil }
    }

    /// A number of seconds, written as 300s, 5m or 300.
    func seconds(_ given: String?, _ variable: String, _ range: ClosedRange<Int>) throws -> Duration? {
        let form = "\(range.lowerBound)s to \(range.upperBound)s; write it as 30s or 5m"
        return try time(given, variable, range, form) { Int($0) }
    }

    /// A time in seconds, of a form in words; `number` reads one without a unit.
    private func time(
        _ given: String?, _ variable: String, _ range: ClosedRange<Int>, _ form: String, _ number: (String) -> Int?
    ) throws -> Duration? {
        try read(given, variable, "time of \(form)") { text in
            let seconds = number(text) ?? TimeSpan(text, allowsNone: true).map { Int($0.seconds) }
            return seconds.flatMap { range.contains($0) ? Duration.seconds($0) : nil }
        }
    }

    /// A value of a text; `form` is the words for those that are valid.
    private func read<Value>(
        _ given: String?, _ variable: String, _ form: String, _ value: (String) -> Value?
    ) throws -> Value? {
        guard let text = text(given, variable) else { return nil }
        if let value = value(text) { return value }
        // Users know ALLOT_LOG_LEVEL as --log-level where they gave the flag.
        let flag = "--" + variable.dropFirst("ALLOT_".count).lowercased().replacing("_", with: "-")
        throw StartFailure("\(given == nil ? variable : flag) \(text) is not a \(form)")
    }

    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ given: String?, _ variable: String, _ noun: String
    ) throws -> Value? {
        guard let text = text(given, variable) else { return nil }
        guard let value = Value(rawValue: text) else {
            let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw StartFailure("there is no log \(noun) \(QuotedText(text)); the \(noun)s are \(all)")
        }
        return value
    }

    func tokens(_ given: String?) throws -> TokenSource? {
        switch (text(given, "ALLOT_TOKENS_FILE"), text(nil, "ALLOT_TOKENS")) {
        case (nil, nil): return nil
        case (let file?, nil): return .file(file)
        case (nil, let lines?): return .list(try AccessTokens(parsing: lines, name: "ALLOT_TOKENS"))
        default: throw StartFailure("there are tokens in a file and in ALLOT_TOKENS; keep one of them")
        }
    }
}
