import AllotConfiguration

/// A line of a journal: a fingerprint, a space and JSON, by which a line that was torn or damaged is recognised.
enum JournalLine: Equatable {
    /// An event that waits to be sent.
    case event(ExposureEvent)
    /// IDs of events that need not be sent any more.
    case done([String])

    /// The line with its end.
    var bytes: [UInt8] {
        let json =
            switch self {
            case .event(let event): event.json.canonicalBytes
            case .done(let ids): (["done": .array(ids.map(JSONValue.string))] as JSONValue).canonicalBytes
            }
        return ExposureKey(json).digits + [UInt8(ascii: " ")] + json + [UInt8(ascii: "\n")]
    }

    /// Reads a line without its end; `nil` if it was not written so.
    init?(_ line: ArraySlice<UInt8>) {
        let json = line.dropFirst(ExposureKey.digitCount + 1)
        guard let key = ExposureKey(digits: line.prefix(ExposureKey.digitCount)), ExposureKey(json) == key,
            line.dropFirst(ExposureKey.digitCount).first == UInt8(ascii: " "),
            let value = try? JSONValue(parsing: Array(json))
        else { return nil }
        if let event = ExposureEvent(value) {
            self = .event(event)
        } else if case .object(let members) = value, case .array(let ids)? = members["done"] {
            self = .done(ids.compactMap { if case .string(let id) = $0 { id } else { nil } })
        } else {
            return nil
        }
    }
}

/// What a journal's file holds.
struct JournalContents {
    /// The events that wait, oldest first, each once.
    private(set) var waiting: [ExposureEvent] = []
    /// The numbers of lines that are damaged, from 1.
    private(set) var damaged: [Int] = []
    /// Whether the last line is whole and lacks its end alone.
    private(set) var lacksEnd = false
    /// The bytes without a last line that is not whole: the process was killed, or the disk full, while it was written.
    private(set) var soundSize: Int

    /// Complexity: O(*n*).
    init(_ bytes: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        soundSize = bytes.count
        var done: Set<String> = []
        var known: Set<String> = []
        let lines = bytes.split(separator: newline, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let isLast = index == lines.count - 1
            let read = JournalLine(line)
            switch read {
            case .event(let event): if known.insert(event.id).inserted { waiting.append(event) }
            case .done(let ids): done.formUnion(ids)
            // What was being written when the process ended was not acknowledged, and is no damage.
            case nil: if isLast { soundSize = line.startIndex } else { damaged.append(index + 1) }
            }
            if isLast, read != nil { lacksEnd = true }
        }
        waiting.removeAll { done.contains($0.id) }
    }
}
