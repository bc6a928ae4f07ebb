import AllotConfiguration
import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Writes bytes to a descriptor with one call of the system; returns how many were taken, or less than 0.
typealias JournalWrite = @Sendable (Int32, [UInt8]) -> Int
/// Locks a descriptor, as `flock`.
typealias JournalLock = @Sendable (Int32, Int32) -> Int32

/// The queue of events that wait to be sent, kept in a folder that several processes may share.
///
/// Each process appends to a file of its own, on which it holds a lock; whoever finds a file without a lock takes it over,
/// its owner having ended. A line is one event, or says of which events the server has answered. An event is written by
/// one call of the system before ``append(_:)`` returns, and so outlives the process; it outlives a loss of power from the
/// next ``synchronize()`` on, but for what a drive of Apple's platforms has in its cache alone: to wait for that would cost
/// more than an exposure is worth. What cannot be written is held in memory, and written when that is possible again.
final class ExposureJournal: Sendable {
    /// What has become of an event.
    enum Outcome {
        /// It is kept; in memory alone if there is an error.
        case kept(StoreError?)
        /// The exposure was recorded before.
        case repeated
        case full
        case closed
    }

    /// What a look at the folder has brought.
    struct Adoption {
        /// How many events of others there were.
        var count = 0
        var problems: [StoreError] = []
    }

    private struct OpenFile {
        let file: LockedFile
        var size: Int
        /// How many of its events wait.
        var waiting: Int
        /// Whether it ends within a line.
        var isTorn: Bool
        /// Whether something was written since it was last synchronised.
        var isChanged = false
    }

    /// A class, so that a long queue moves by pointers.
    private final class Entry: Sendable {
        let event: ExposureEvent
        let file: Int?

        init(_ event: ExposureEvent, _ file: Int?) {
            self.event = event
            self.file = file
        }
    }

    private struct State {
        var isClosed = false
        /// Whether new events are refused.
        var isRefusing = false
        var entries: [Entry] = []
        var files: [Int: OpenFile] = [:]
        /// The file that is appended to.
        var own: Int?
        var nextNumber = 0
        var seen: SeenExposures
        /// Files that could not be read; each is reported once.
        var unreadable: Set<String> = []
        var unwrittenCount = 0
        /// Why this process has no file; it is not tried again before the next look at the folder.
        var creationProblem: StoreError?
        /// Whether the folder has a new file whose name may not be on disk yet.
        var isFolderChanged = false
    }

    private let state: Mutex<State>
    /// Held while files of others are taken over, so that none is once the journal is closed.
    private let adopting = Mutex(())
    private let folder: String?
    private let limit: Int
    private let seenFile: SeenFile?
    private let write: JournalWrite
    private let lock: JournalLock

    /// A file that has grown to this is not appended to any more; it is removed when its last event is sent.
    static let fileSizeLimit = 4_194_304
    private static let prefix = "exposures-1-"
    private static let suffix = ".journal"

    /// A journal in a folder, which is made if it is not there; `nil` for one in memory. ``adopt()`` reads what is there.
    ///
    /// - Parameters:
    ///   - limit: the most events that are kept.
    ///   - memoryLimit: how many exposures are remembered.
    ///   - write: writes to a file.
    ///   - lock: locks a file, as `flock`.
    init(
        folder: String?, limit: Int, memoryLimit: Int, write: @escaping JournalWrite = FileBytes.write,
        lock: @escaping JournalLock = { flock($0, $1) }
    ) {
        self.folder = folder
        self.limit = limit
        self.write = write
        self.lock = lock
        var seen = SeenExposures(limit: memoryLimit)
        seenFile = folder.map { SeenFile(path: $0 + "/exposures-1-seen", limit: memoryLimit, write: write) }
        for key in seenFile?.load() ?? [] { seen.insert(key) }
        state = Mutex(State(seen: seen))
    }

    /// How many events wait.
    var count: Int {
        state.withLock { $0.entries.count }
    }

    // MARK: Appending

    /// Keeps an event, unless the same exposure was kept before. Complexity: O(1), with one write to the file.
    func append(_ event: ExposureEvent) -> Outcome {
        let key = event.key
        return state.withLock { state in
            if state.isRefusing { return .closed }
            if state.seen.contains(key) { return .repeated }
            if state.entries.count >= limit { return .full }
            let (file, error) = write(.event(event), &state)
            if let file { state.files[file]?.waiting += 1 } else { state.unwrittenCount += 1 }
            state.entries.append(Entry(event, file))
            state.seen.insert(key)
            return .kept(error)
        }
    }

    /// Writes a line to the file of this process; `nil` when it is not there whole.
    private func write(_ line: JournalLine, _ state: inout State) -> (file: Int?, error: StoreError?) {
        guard folder != nil else { return (nil, nil) }
        var error: StoreError?
        if let own = state.own, let file = state.files[own], file.size >= Self.fileSizeLimit { state.own = nil }
        if state.own == nil { error = state.creationProblem ?? create(&state) }
        guard let own = state.own else { return (nil, error) }
        error = write(line.bytes, to: own, &state)
        return (error == nil ? own : nil, error)
    }

    private func write(_ bytes: [UInt8], to number: Int, _ state: inout State) -> StoreError? {
        guard var file = state.files[number] else { return nil }
        let bytes = file.isTorn ? [UInt8(ascii: "\n")] + bytes : bytes
        let count = write(file.file.descriptor, bytes)
        file.isChanged = true
        defer { state.files[number] = file }
        if count == bytes.count {
            file.size += count
            file.isTorn = false
            return nil
        }
        let reason = count < 0 ? FileBytes.lastError : "only a part of the line was taken"
        // A part of a line must not become the beginning of the next one.
        if count > 0, !file.file.truncate(to: file.size) {
            file.size += count
            file.isTorn = true
        }
        return StoreError(
            .unwritable, "\(file.file.path): an exposure is not on disk (\(reason)); free space on the disk")
    }

    /// Makes a file for this process.
    private func create(_ state: inout State) -> StoreError? {
        guard let folder else { return nil }
        do throws(LockedFile.Failure) {
            for _ in 0..<10 {
                let path = "\(folder)/\(Self.prefix)\(UUID().uuidString.lowercased())\(Self.suffix)"
                do throws(LockedFile.Failure) {
                    state.own = add(try LockedFile(path, isNew: true, lock: lock), size: 0, &state)
                    state.creationProblem = nil
                    state.isFolderChanged = true
                    return nil
                } catch .taken {
                    continue
                }
            }
            throw .system(EBUSY)
        } catch {
            let reason = if case .system(let number) = error { FileBytes.errorText(number) } else { "busy" }
            let problem = StoreError(
                .unwritable,
                "\(folder): exposures are not kept on disk (\(reason)); give a folder that this app may write to")
            state.creationProblem = problem
            return problem
        }
    }

    private func add(_ file: LockedFile, size: Int, waiting: Int = 0, isTorn: Bool = false, _ state: inout State) -> Int
    {
        state.nextNumber += 1
        state.files[state.nextNumber] = OpenFile(file: file, size: size, waiting: waiting, isTorn: isTorn)
        return state.nextNumber
    }

    // MARK: Reading and removing

    /// The oldest events.
    func first(_ count: Int, except passedOver: Set<String> = []) -> [ExposureEvent] {
        state.withLock { state in
            var events: [ExposureEvent] = []
            for entry in state.entries {
                if !passedOver.contains(entry.event.id) { events.append(entry.event) }
                if events.count == count { break }
            }
            return events
        }
    }

    /// Puts other events in the places of those of the same IDs, in memory: after a crash the former are found.
    func replace(_ events: [ExposureEvent]) {
        guard !events.isEmpty else { return }
        let byID = Dictionary(events.map { ($0.id, $0) }) { $1 }
        state.withLock { state in
            var rest = byID.count
            for index in state.entries.indices {
                guard let event = byID[state.entries[index].event.id] else { continue }
                state.entries[index] = Entry(event, state.entries[index].file)
                rest -= 1
                if rest == 0 { break }
            }
        }
    }

    /// Forgets events of which the server has answered, but not that they were exposures.
    func remove(_ events: [ExposureEvent]) -> [StoreError] {
        var ids = Set(events.map(\.id))
        // First: whoever finds an event gone must find its exposure remembered.
        var problems: [StoreError] = []
        if let problem = state.withLock({ $0.isClosed }) ? nil : seenFile?.append(events.map(\.key)) {
            problems.append(problem)
        }
        return problems
            + state.withLock { state in
                guard !state.isClosed else { return [] }
                var kept: [Entry] = []
                var byFile: [Int: [String]] = [:]
                var end = 0
                while end < state.entries.count, !ids.isEmpty {
                    let entry = state.entries[end]
                    end += 1
                    guard ids.remove(entry.event.id) != nil else {
                        kept.append(entry)
                        continue
                    }
                    if let file = entry.file {
                        byFile[file, default: []].append(entry.event.id)
                    } else {
                        state.unwrittenCount -= 1
                    }
                }
                state.entries.replaceSubrange(0..<end, with: kept)
                return byFile.sorted { $0.key < $1.key }.compactMap { settle($0.value, in: $0.key, &state) }
            }
    }

    /// Notes on disk that events need not be sent any more.
    private func settle(_ ids: [String], in number: Int, _ state: inout State) -> StoreError? {
        state.files[number]?.waiting -= ids.count
        guard let file = state.files[number] else { return nil }
        if file.waiting == 0 {
            if number != state.own {
                file.file.remove()
                state.files[number] = nil
                return nil
            }
            if file.file.truncate(to: 0) {
                state.files[number]?.size = 0
                state.files[number]?.isTorn = false
                return nil
            }
        }
        return write(JournalLine.done(ids).bytes, to: number, &state)
    }

    // MARK: Keeping

    /// Writes to disk what could not be written before, and what the system holds in memory.
    func synchronize() -> [StoreError] {
        var problems = writeRest()
        let (changed, isFolderChanged) = state.withLock { state in
            let changed = state.files.filter(\.value.isChanged)
            for number in changed.keys { state.files[number]?.isChanged = false }
            defer { state.isFolderChanged = false }
            return (changed, state.isFolderChanged)
        }
        // Outside of the lock: whoever reads a setting must not wait for the disk.
        if isFolderChanged, let folder { LockedFile.synchronizeFolder(folder) }
        for (number, file) in changed where !file.file.synchronize() {
            problems.append(StoreError(.unwritable, "\(file.file.path): not on disk yet (\(FileBytes.lastError))"))
            state.withLock { $0.files[number]?.isChanged = true }
        }
        return problems
    }

    /// How many events are written before others may have the lock.
    private static let portion = 100

    /// Writes what is in memory alone, in portions: whoever reads a setting must not wait for all of it.
    private func writeRest() -> [StoreError] {
        guard folder != nil else { return [] }
        state.withLock { $0.creationProblem = nil }
        // Where to look on; entries before it that are removed meanwhile make it pass over some, until the next time.
        var start = 0
        var problem: StoreError?
        while state.withLock({ writePortion(from: &start, &problem, &$0) }) {}
        return problem.map { [$0] } ?? []
    }

    /// Returns whether there is more to write.
    private func writePortion(from start: inout Int, _ problem: inout StoreError?, _ state: inout State) -> Bool {
        var count = 0
        while start < state.entries.count, count < Self.portion, state.unwrittenCount > 0, !state.isClosed {
            let entry = state.entries[start]
            if entry.file == nil {
                let (file, error) = write(.event(entry.event), &state)
                guard let file else {
                    problem = error
                    return false
                }
                state.files[file]?.waiting += 1
                state.entries[start] = Entry(entry.event, file)
                state.unwrittenCount -= 1
                count += 1
            }
            start += 1
        }
        return count == Self.portion
    }

    /// Takes over the files of processes that have ended. Complexity: O(*n*) in the size of these files.
    func adopt() -> Adoption {
        guard let folder else { return Adoption() }
        return adopting.withLock { _ in
            state.withLock { $0.isClosed } ? Adoption() : adopt(in: folder)
        }
    }

    private func adopt(in folder: String) -> Adoption {
        var adoption = Adoption()
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            adoption.problems.append(
                StoreError(.unwritable, "\(folder): exposures are not kept on disk; give a folder that can be made"))
            return adoption
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let held = state.withLock { state in Set(state.files.values.map(\.file.path)).union(state.unreadable) }
        for name in names.sorted() where name.hasPrefix(Self.prefix) && name.hasSuffix(Self.suffix) {
            // What does not find room now stays where it is.
            guard count < limit else { break }
            let path = "\(folder)/\(name)"
            if !held.contains(path) { adopt(path, &adoption) }
        }
        // Made now, so that the first exposure need not wait for it.
        if let problem = state.withLock({ $0.isClosed || $0.own != nil ? nil : create(&$0) }) {
            adoption.problems.append(problem)
        }
        return adoption
    }

    private func adopt(_ path: String, _ adoption: inout Adoption) {
        let file: LockedFile
        do throws(LockedFile.Failure) {
            file = try LockedFile(path, isNew: false)
        } catch {
            guard case .system(let number) = error else { return }
            return reportUnreadable(path, FileBytes.errorText(number), &adoption)
        }
        guard let bytes = file.contents() else { return reportUnreadable(path, FileBytes.lastError, &adoption) }
        let contents = JournalContents(bytes)
        if let first = contents.damaged.first {
            adoption.problems.append(
                StoreError(
                    .corrupt,
                    "\(path): \(contents.damaged.count) of its lines are damaged, the first is line \(first); "
                        + "their exposures are lost"))
        }
        let isCut = contents.soundSize < bytes.count && file.truncate(to: contents.soundSize)
        let size = isCut ? contents.soundSize : bytes.count
        let isTorn = contents.lacksEnd || size > contents.soundSize
        adoption.count += state.withLock { state in
            guard !state.isClosed else { return 0 }
            let number = add(file, size: size, waiting: contents.waiting.count, isTorn: isTorn, &state)
            for event in contents.waiting {
                state.entries.append(Entry(event, number))
                state.seen.insert(event.key)
            }
            if state.own == nil, size < Self.fileSizeLimit {
                // Appended to from now on, so that an app that crashes often leaves one file and not many.
                state.own = number
                if contents.waiting.isEmpty, file.truncate(to: 0) {
                    state.files[number]?.size = 0
                    state.files[number]?.isTorn = false
                }
            } else if contents.waiting.isEmpty {
                file.remove()
                state.files[number] = nil
            }
            return contents.waiting.count
        }
    }

    private func reportUnreadable(_ path: String, _ reason: String, _ adoption: inout Adoption) {
        adoption.problems.append(StoreError(.unreadable, "\(path): its exposures cannot be sent (\(reason))"))
        _ = state.withLock { $0.unreadable.insert(path) }
    }

    /// Takes no more events.
    func refuse() {
        state.withLock { $0.isRefusing = true }
    }

    /// Lets go of the files; what waits stays in them, for another to take over.
    ///
    /// - Parameter isTidy: whether to remove the file of this process if nothing waits in it.
    func close(isTidy: Bool) {
        adopting.withLock { _ in
            state.withLock { state in
                if isTidy, let own = state.own, let file = state.files[own], file.waiting == 0 { file.file.remove() }
                // Not left to the last who uses them, such as a task that waits for the disk.
                for file in state.files.values { file.file.unlock() }
                (state.isClosed, state.isRefusing) = (true, true)
                state.files = [:]
                state.own = nil
            }
        }
    }
}
