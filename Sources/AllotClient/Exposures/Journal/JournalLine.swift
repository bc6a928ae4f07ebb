import AllotConfiguration

/// A line of a journal: a fingerprint, a space and JSON. The fingerprint shows whether the line is complete.
enum JournalLine: Equatable {
    case event(ExposureEvent)
    case done([String])
    /// The fingerprints of exposures that were sent, oldest first.
    case seen([FNV1a.Hash128])

    private static let digitCount = 32
    /// The number of bytes of a line in addition to its JSON.
    static let overhead = digitCount + 2

    var bytes: [UInt8] {
        let value: JSONValue =
            switch self {
            case .event(let event): event.json
            case .done(let ids): ["done": .strings(ids)]
            case .seen(let fingerprints): ["seen": .strings(fingerprints.map(\.hexadecimal))]
            }
        let json = value.canonicalBytes
        return Array(FNV1a.hash128(json).hexadecimal.utf8) + [UInt8(ascii: " ")] + json + [UInt8(ascii: "\n")]
    }

    init?(_ line: ArraySlice<UInt8>) {
        let json = Array(line.dropFirst(Self.digitCount + 1))
        guard line.starts(with: "\(FNV1a.hash128(json).hexadecimal) ".utf8), let value = try? JSONValue(parsing: json)
        else { return nil }
        if let event = ExposureEvent(value) {
            self = .event(event)
        } else if let ids = value.asObject?.texts("done") {
            self = .done(ids)
        } else if let fingerprints = value.asObject?.texts("seen") {
            self = .seen(fingerprints.compactMap { FNV1a.Hash128(hexadecimal: $0.utf8) })
        } else {
            return nil
        }
    }
}

struct JournalContents {
    private(set) var waiting: [ExposureEvent] = []
    private(set) var sent: [FNV1a.Hash128] = []
    private(set) var total = 0
    private(set) var damaged: [Int] = []
    /// Whether the last line is complete except for its line feed.
    private(set) var lacksEnd = false
    /// The size without an incomplete last line, which the process was writing when it was killed or the disk was full.
    private(set) var soundSize: Int

    init(_ bytes: [UInt8]) {
        soundSize = bytes.count
        var done: Set<String> = []
        var fingerprints: [String: FNV1a.Hash128] = [:]
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let isLast = index == lines.count - 1
            let read = JournalLine(line)
            switch read {
            case .event(let event):
                if fingerprints.updateValue(event.fingerprint, forKey: event.id) == nil { waiting.append(event) }
            case .done(let ids):
                done.formUnion(ids)
                sent += ids.compactMap { fingerprints[$0] }
            case .seen(let seen): sent += seen
            // An incomplete last line was never acknowledged, so it is not damage.
            case nil: if isLast { soundSize = line.startIndex } else { damaged.append(index + 1) }
            }
            if isLast, read != nil { lacksEnd = true }
        }
        total = fingerprints.count
        waiting.removeAll { done.contains($0.id) }
    }
}
