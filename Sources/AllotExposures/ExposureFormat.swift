internal import AllotConfiguration

/// How exported exposures are written. `Sendable`.
///
/// Both formats have the same members: `unit`, `experiment`, `salt`, `variant`, `revision`, `reason`, `override`, `at`,
/// `received_at`, `doubt`, `reported_at`, `attributes`, `window`. Times are RFC 3339 in UTC with milliseconds.
public enum ExposureFormat: String, Sendable, CaseIterable {
    /// CSV (RFC 4180) with a header; lines end with LF. Unknown values are empty fields, `override` is `true` or
    /// `false`, and attributes are JSON. A text that a spreadsheet would run as a formula, and one that begins with an
    /// apostrophe, has an apostrophe in front: remove one to have the text as it was sent. A text with a semicolon or a
    /// tab is in quotes.
    case csv
    /// An object of JSON on each line, with texts as they were sent. Unknown values are `null`, `override` is a
    /// boolean, the window a number, and attributes are an object.
    case ndjson

    private typealias Key = ExposureMessage.Event

    private static let names = [
        Key.unit, Key.experiment, Key.salt, Key.variant, Key.revision, Key.reason, Key.override, Key.at, "received_at",
        "doubt", "reported_at", Key.attributes, Key.window,
    ]

    /// The first line, if the format has one.
    func header(_ delimiter: CSVDelimiter = .comma) -> [UInt8]? {
        switch self {
        case .csv: delimiter.header(Self.names)
        case .ndjson: nil
        }
    }

    func append(_ exposure: Exposure, to bytes: inout [UInt8], delimiter: CSVDelimiter = .comma) {
        let texts = [
            exposure.unit, exposure.experiment, exposure.salt, exposure.variant, exposure.revision, exposure.reason,
            exposure.isOverridden ? "true" : "false", Self.time(exposure.at), Self.time(exposure.receivedAt),
            exposure.doubt?.rawValue, exposure.reportedAt.map(Self.time), exposure.attributes,
            exposure.window.map(String.init),
        ]
        switch self {
        case .csv:
            for (index, text) in texts.enumerated() {
                if index > 0 { bytes.append(delimiter.byte) }
                SpreadsheetText.append(text ?? "", to: &bytes, delimiter: delimiter)
            }
        case .ndjson:
            for (index, text) in texts.enumerated() {
                bytes += (index == 0 ? "{\"" : ",\"").utf8
                bytes += Self.names[index].utf8
                bytes += "\":".utf8
                switch (text, Self.names[index]) {
                case (nil, _): bytes += "null".utf8
                case (let text?, Key.override), (let text?, Key.attributes), (let text?, Key.window): bytes += text.utf8
                case (let text?, _): JSONWriter.append(.string(text), to: &bytes)
                }
            }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func time(_ milliseconds: Int64) -> String {
        Instant(milliseconds: milliseconds).text(.milliseconds)
    }
}
