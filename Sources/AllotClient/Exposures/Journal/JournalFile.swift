import AllotConfiguration
import AllotFiles

/// Appends bytes to a descriptor by one system call. Returns their number, or the negative of the error's.
typealias JournalWrite = @Sendable (Int32, [UInt8]) -> Int
/// Takes the exclusive lock of a file without waiting. Returns `false` if another descriptor holds it.
typealias JournalLock = @Sendable (borrowing FileDescriptor) throws(SystemError) -> Bool

/// The file that a process appends to: it begins with exposures to remember; events and what became of them follow.
/// Once no event waits, the events are cut off, and their exposures are added to those to remember.
struct JournalFile {
    let file: LockedFile
    var size = 0, total = 0, waiting = 0
    /// The size of the lines at the beginning that list exposures to remember.
    var base = 0
    var isTorn = false, isChanged = false

    /// The size from which on a file is replaced as soon as half of its events have been sent.
    private static let sizeLimit = 4_194_304

    /// Whether most of it is of no use any more. Each exposure to remember takes 35 bytes in a list.
    func isWorn(remembering limit: Int) -> Bool { size >= Self.sizeLimit && 2 * waiting <= total || base / 64 > limit }

    mutating func append(
        _ line: [UInt8], _ write: JournalWrite, _ consequence: String = "an exposure is not on disk"
    ) -> StoreError? {
        let bytes = isTorn ? [UInt8(ascii: "\n")] + line : line
        let count = write(file.descriptor.number, bytes)
        isChanged = true
        if count == bytes.count {
            size += count
            isTorn = false
            return nil
        }
        // A part of a line must not become the beginning of the next one.
        if count > 0, !file.truncate(to: size) {
            size += count
            isTorn = true
        }
        let reason = count < 0 ? "\(SystemError(Int32(-count)))" : "only a part of the line was written"
        return StoreError(.unwritable, "\(file.path): \(consequence) (\(reason)); free space on the disk")
    }

    /// Appends exposures to remember, which stay when events are removed if they are of the base.
    mutating func remember(_ sent: some Collection<FNV1a.Hash128>, isBase: Bool, _ write: JournalWrite) -> StoreError? {
        guard !sent.isEmpty else { return nil }
        let line = JournalLine.seen(Array(sent)).bytes
        if let problem = append(line, write, "sent exposures cannot be remembered") { return problem }
        if isBase { base = size }
        return nil
    }

    mutating func removeEvents() -> Bool {
        guard file.truncate(to: base) else { return false }
        (size, total, isTorn) = (base, 0, false)
        return true
    }
}

/// A file that has one owner at a time, in this process or another, until that is deallocated or ends.
final class LockedFile: Sendable {
    let path: String
    let descriptor: FileDescriptor

    /// Opens or creates a file and locks it. Returns `nil` if another owner holds it, or has just removed it.
    init?(_ path: String, isNew: Bool, lock: JournalLock = LockedFile.lock) throws(SystemError) {
        self.path = path
        do throws(SystemError) {
            descriptor = try FileDescriptor(
                openingFile: path, O_RDWR | O_APPEND | O_NOFOLLOW | (isNew ? O_CREAT | O_EXCL : 0), mode: 0o600)
        } catch {
            if error.isAbsence, !isNew { return nil }
            throw error
        }
        do throws(SystemError) {
            // A former owner may have removed it between the two calls.
            guard try lock(descriptor), try descriptor.status().st_nlink > 0 else { return nil }
        } catch {
            // Otherwise each attempt would leave a file.
            if isNew { _ = unlink(path) }
            throw error
        }
    }

    static let lock: JournalLock = { file throws(SystemError) in try file.lock() }

    static let append: JournalWrite = { descriptor, bytes in
        bytes.withUnsafeBytes { buffer in
            SystemCall.retrying { write(descriptor, buffer.baseAddress, buffer.count) }
        }
    }

    func truncate(to size: Int) -> Bool { (try? descriptor.truncate(to: size)) != nil }
    func remove() { _ = unlink(path) }
}

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
