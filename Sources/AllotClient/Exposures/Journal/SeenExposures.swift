import AllotConfiguration
import AllotFiles
import Foundation

/// The fingerprints of all exposures that wait, and of those that were sent last; the oldest of these are forgotten
/// first.
struct SeenExposures: Sendable {
    private let limit: Int
    /// How many events wait for each exposure: more than one if several processes recorded it.
    private var waiting: [UInt128: Int] = [:]
    private var sent: Set<UInt128> = []
    /// What was sent, oldest first, from ``oldest`` on.
    private var order: [UInt128] = []
    private var oldest = 0

    /// - Parameter limit: how many are remembered that were sent.
    init(limit: Int) {
        self.limit = limit
    }

    func contains(_ fingerprint: UInt128) -> Bool {
        waiting[fingerprint] != nil || sent.contains(fingerprint)
    }

    /// Remembers an exposure until its event is sent. Complexity: O(1), amortised.
    mutating func noteWaiting(_ fingerprint: UInt128) {
        waiting[fingerprint, default: 0] += 1
    }

    /// Remembers an exposure whose event waits no more, or was sent in an earlier run. Complexity: O(1), amortised.
    mutating func noteSent(_ fingerprint: UInt128) {
        if let count = waiting[fingerprint] { waiting[fingerprint] = count > 1 ? count - 1 : nil }
        guard sent.insert(fingerprint).inserted else { return }
        order.append(fingerprint)
        while order.count - oldest > limit {
            sent.remove(order[oldest])
            oldest += 1
        }
        if oldest > limit {
            order.removeFirst(oldest)
            oldest = 0
        }
    }
}

/// The file of the exposures that were recorded and sent: the digits of a fingerprint on each line, oldest first.
///
/// Processes that share it append to it. A process that finds it too long, and that no other process is using it,
/// replaces it.
struct SeenFile: Sendable {
    /// The folder that the file is in.
    let folder: DurableFolder
    /// How many fingerprints are of use.
    let limit: Int
    let write: JournalWrite

    static let name = "exposures-1-seen"

    private var path: String { folder.path(of: Self.name) }

    /// The latest fingerprints, oldest first; shortens the file if it has grown. Skips lines that are not fingerprints.
    func load() -> [UInt128] {
        folder.removeLeftovers()
        guard let file = try? FileDescriptor(openingFile: path, O_RDONLY | O_NOFOLLOW) else { return [] }
        shorten(file)
        return latest(file)
    }

    /// Adds fingerprints. Returns what went wrong.
    func append(_ fingerprints: [UInt128]) -> StoreError? {
        var problem = SystemError(EBUSY)
        // The file may be replaced before it is locked; what is then appended would be lost.
        for _ in 0..<10 {
            do throws(SystemError) {
                let file = try FileDescriptor(
                    openingFile: path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, mode: 0o600)
                // Without waiting: the process that holds the lock may be suspended. Then a few fingerprints may be
                // lost, and their exposures sent twice.
                let isLocked = flock(file.number, LOCK_SH | LOCK_NB) == 0
                defer { file.unlock() }
                if isLocked, FileIdentity(descriptor: file.number) != FileIdentity(path: path) { continue }
                // A line feed first, since another writer may have been killed in the middle of a line.
                let bytes = [UInt8(ascii: "\n")] + Self.lines(fingerprints)
                let count = write(file.number, bytes)
                guard count == bytes.count else { throw SystemError(count < 0 ? Int32(-count) : ENOSPC) }
                shorten(file)
                return nil
            } catch {
                problem = error
                break
            }
        }
        return StoreError(
            .unwritable, "\(path): sent exposures cannot be remembered (\(problem)); free space on the disk")
    }

    private static func lines(_ fingerprints: [UInt128]) -> [UInt8] {
        fingerprints.flatMap { Array("\($0.hexadecimal)\n".utf8) }
    }

    /// The maximal number of bytes that ``limit`` fingerprints take up: each may follow an empty line.
    private var tailSize: Int {
        // Twice as many bytes must fit into an `Int`, too.
        min(limit, Int.max / 68) * 34
    }

    /// The latest fingerprints of an open file, oldest first. Complexity: O(``limit``), however long the file is.
    private func latest(_ file: borrowing FileDescriptor) -> [UInt128] {
        // A line whose beginning is not read has too few digits.
        guard (try? file.seek(to: max(0, size(file) - tailSize))) != nil, let bytes = try? file.readToEnd() else {
            return []
        }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap(UInt128.init(hexadecimal:)).suffix(limit)
    }

    /// Replaces an open file if it has grown too long, and no other process is using it.
    private func shorten(_ file: borrowing FileDescriptor) {
        guard size(file) > 2 * tailSize, (try? file.lock()) == true,
            FileIdentity(descriptor: file.number) == FileIdentity(path: path)
        else { return }
        try? folder.write(Self.lines(latest(file)), to: Self.name)
    }

    private func size(_ file: borrowing FileDescriptor) -> Int {
        (try? file.status()).map { Int(clamping: $0.st_size) } ?? 0
    }
}
