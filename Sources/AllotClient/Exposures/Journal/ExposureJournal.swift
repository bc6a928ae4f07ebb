import AllotConfiguration
import AllotFiles

/// The queue of events that wait to be sent, in a folder that several processes may share.
///
/// **Files.** Each process writes to a file of its own, which it has locked. A process takes over files that are not
/// locked, because their owner has ended: the first becomes its own, and the events of others are copied into that.
///
/// **Durability.** An event is written with one call of the system before ``append(_:)`` returns, so it survives the
/// process, and after the next ``synchronize()`` a loss of power. Events that cannot be written are kept in memory, and
/// written when that is possible again.
///
/// **Once.** The server counts an exposure (``ExposureEvent/fingerprint``) once, however many events it gets for it,
/// and an event with an ID that it has stored changes nothing. That a snapshot reports each assignment once, and that
/// the journal refuses what it remembers (``SeenExposures``), only saves work.
final class ExposureJournal: Sendable {
    enum Outcome {
        case kept(StoreError?)
        case repeated
        case tooLarge
        case full
        case closed
    }

    /// A class, so that a long queue moves by pointers.
    final class Entry: Sendable {
        let event: ExposureEvent
        let isStored: Bool
        /// The number of the round of sending in which the server did not accept it; `nil` if there was none.
        let postponedIn: Int?

        init(_ event: ExposureEvent, isStored: Bool, postponedIn: Int? = nil) {
            (self.event, self.isStored, self.postponedIn) = (event, isStored, postponedIn)
        }
    }

    struct State {
        var isClosed = false
        var isRefusing = false
        var entries: [Entry] = []
        var own: JournalFile?
        /// Files whose events are in the queue, removed when these events are in the file of this process, too.
        var former: [LockedFile] = []
        var seen: SeenExposures
        /// Files that could not be read; each is reported once.
        var unreadable: Set<String> = []
        var unwrittenCount = 0
        var postponedCount = 0
        /// The reason why this process has no file. Creating one is not tried again until the next ``synchronize()``.
        var creationProblem: StoreError?
        /// Whether the folder has a new file whose name may not be on disk yet.
        var isFolderChanged = false
    }

    let state: Lock<State>
    /// Held while files of others are taken over, which must not happen after the journal was closed.
    let adopting = Lock(())
    let folder: String?
    let limit: Int
    let lock: JournalLock
    let write: JournalWrite

    /// A journal in a folder, which is created if necessary, or one in memory. ``adopt()`` reads what is in the folder.
    init(
        folder: String?, limit: Int, memoryLimit: Int, write: @escaping JournalWrite = LockedFile.append,
        lock: @escaping JournalLock = LockedFile.lock
    ) {
        (self.folder, self.limit, self.write, self.lock) = (folder, limit, write, lock)
        state = Lock(State(seen: SeenExposures(limit: memoryLimit)))
    }

    var count: Int { state.withLock { $0.entries.count } }
    var postponedCount: Int { state.withLock { $0.postponedCount } }

    // MARK: Appending

    /// Keeps an event, unless the same exposure is recorded already. Complexity: O(1), with one write to the file.
    func append(_ event: ExposureEvent) -> Outcome {
        let fingerprint = event.fingerprint
        return state.withLock { state in
            if state.isRefusing { return .closed }
            if state.seen.contains(fingerprint) { return .repeated }
            if state.entries.count >= limit { return .full }
            let line = JournalLine.event(event).bytes
            if line.count - JournalLine.overhead > ExposureMessage.maximumEventLength { return .tooLarge }
            let (isStored, error) = store(line, &state)
            if !isStored { state.unwrittenCount += 1 }
            state.entries.append(Entry(event, isStored: isStored))
            state.seen.noteWaiting(fingerprint)
            return .kept(error)
        }
    }

    /// Appends the line of an event to the file of this process. Returns whether the event is in it.
    private func store(_ line: [UInt8], _ state: inout State) -> (isStored: Bool, error: StoreError?) {
        guard folder != nil else { return (false, nil) }
        if state.own?.isWorn(remembering: state.seen.limit) == true { replaceOwn(&state) }
        if state.own == nil, let error = state.creationProblem ?? create(&state) { return (false, error) }
        if let error = state.own?.append(line, write) { return (false, error) }
        state.own?.total += 1
        state.own?.waiting += 1
        return (true, nil)
    }

    /// Goes on in a new file, in which the events that wait are still to be written.
    private func replaceOwn(_ state: inout State) {
        let former = state.own
        state.own = nil
        guard create(&state) == nil else {
            (state.own, state.creationProblem) = (former, nil)
            return
        }
        if let former { state.former.append(former.file) }
        state.entries = state.entries.map { Entry($0.event, isStored: false, postponedIn: $0.postponedIn) }
        state.unwrittenCount = state.entries.count
    }

    // MARK: Reading and removing

    /// The first events: those that were not postponed, or those that were last postponed before a round of sending.
    func first(_ count: Int, postponedBefore round: Int? = nil) -> [ExposureEvent] {
        state.withLock { state in
            let wanted = state.entries.lazy.filter { entry in
                guard let round else { return entry.postponedIn == nil }
                return entry.postponedIn.map { $0 < round } ?? false
            }
            return Array(wanted.prefix(count).map(\.event))
        }
    }

    /// Moves events that the server did not accept to the end, in memory, so that they hold up no others.
    func postpone(_ events: [ExposureEvent], in round: Int) {
        state.withLock { state in
            let moved = Self.take(events, &state)
            state.entries += moved.map { Entry($0.event, isStored: $0.isStored, postponedIn: round) }
            state.postponedCount += moved.count
        }
    }

    /// Removes the entries of events from the queue and returns them, in its order. Complexity: O(*n*) in the position
    /// of the last one, which is small for the first events.
    private static func take(_ events: [ExposureEvent], _ state: inout State) -> [Entry] {
        var ids = Set(events.map(\.id))
        var (taken, kept): ([Entry], [Entry]) = ([], [])
        var end = 0
        while end < state.entries.count, !ids.isEmpty {
            let entry = state.entries[end]
            end += 1
            if ids.remove(entry.event.id) != nil { taken.append(entry) } else { kept.append(entry) }
        }
        state.entries.replaceSubrange(0..<end, with: kept)
        state.postponedCount -= taken.count { $0.postponedIn != nil }
        return taken
    }

    /// Replaces events by others with the same IDs, in memory: after a crash the former ones are found. Complexity:
    /// O(*n*) in the position of the last one, which is small for the first events.
    func replace(_ events: [ExposureEvent]) {
        var byID = Dictionary(events.map { ($0.id, $0) }) { $1 }
        state.withLock { state in
            var index = 0
            while index < state.entries.count, !byID.isEmpty {
                let entry = state.entries[index]
                if let event = byID.removeValue(forKey: entry.event.id) {
                    state.entries[index] = Entry(event, isStored: entry.isStored, postponedIn: entry.postponedIn)
                }
                index += 1
            }
        }
    }

    /// Removes events that the server has answered, and remembers that they were exposures.
    func remove(_ events: [ExposureEvent]) -> [StoreError] {
        state.withLock { state in
            guard !state.isClosed else { return [] }
            let taken = Self.take(events, &state)
            for entry in taken { state.seen.noteSent(entry.event.fingerprint) }
            let stored = taken.filter(\.isStored)
            state.unwrittenCount -= taken.count - stored.count
            let problem = settle(stored.map(\.event.id), &state)
            if state.entries.isEmpty { Self.removeFormer(state.former, &state) }
            return problem.map { [$0] } ?? []
        }
    }

    /// Notes on disk that events need not be sent any more.
    private func settle(_ ids: [String], _ state: inout State) -> StoreError? {
        state.own?.waiting -= ids.count
        if state.own?.waiting == 0, state.own?.removeEvents() == true {
            let problem = state.own?.remember(state.seen.unsaved, isBase: true, write)
            if problem == nil { state.seen.noteSaved() }
            return problem
        }
        return ids.isEmpty ? nil : state.own?.append(JournalLine.done(ids).bytes, write)
    }

    /// Removes files whose events have been answered or are in the file of this process.
    private static func removeFormer(_ files: [LockedFile], _ state: inout State) {
        for file in files { file.remove() }
        state.former.removeAll { former in files.contains { $0 === former } }
    }

    // MARK: Storing on disk

    /// Writes what could not be written before, and stores the file on disk.
    func synchronize() -> [StoreError] {
        var problems = writeRest().map { [$0] } ?? []
        let (own, former, isFolderChanged) = state.withLock { state in
            defer {
                state.own?.isChanged = false
                state.isFolderChanged = false
            }
            return (state.own, state.unwrittenCount == 0 ? state.former : [], state.isFolderChanged)
        }
        // Outside the lock: reading a setting must not wait for the disk.
        if isFolderChanged, let folder { try? DurableFolder.synchronize(folder) }
        if let own, own.isChanged {
            do throws(SystemError) {
                try own.file.descriptor.synchronize()
            } catch {
                problems.append(StoreError(.unwritable, "\(own.file.path): not on disk yet (\(error))"))
                state.withLock { $0.own?.isChanged = true }
            }
        }
        // Once the journal is closed, other processes may have taken them over.
        if problems.isEmpty { state.withLock { if !$0.isClosed { Self.removeFormer(former, &$0) } } }
        return problems
    }

    /// How many events are written before others get the lock.
    private static let portion = 100

    /// Writes the events that are in memory only, in portions: reading a setting must not wait for all of them.
    private func writeRest() -> StoreError? {
        guard folder != nil else { return nil }
        state.withLock { $0.creationProblem = nil }
        // Entries before it that are removed meanwhile make it skip some, which the next call writes.
        var start = 0
        var problem: StoreError?
        while state.withLock({ writePortion(from: &start, &problem, &$0) }) {}
        return problem
    }

    private func writePortion(from start: inout Int, _ problem: inout StoreError?, _ state: inout State) -> Bool {
        var count = 0
        while start < state.entries.count, count < Self.portion, state.unwrittenCount > 0, !state.isClosed {
            let entry = state.entries[start]
            if !entry.isStored {
                let (isStored, error) = store(JournalLine.event(entry.event).bytes, &state)
                guard isStored else {
                    problem = error
                    return false
                }
                state.entries[start] = Entry(entry.event, isStored: true, postponedIn: entry.postponedIn)
                state.unwrittenCount -= 1
                count += 1
            }
            start += 1
        }
        return count == Self.portion
    }

    // MARK: Ending

    func refuse() { state.withLock { $0.isRefusing = true } }

    /// Refuses further events, writes what could not be written before, and releases the files, for another process to
    /// take over; with `isTidy`, removes that of this process if it is empty. Returns why waiting events are lost.
    @discardableResult
    func close(isTidy: Bool) -> [StoreError] {
        refuse()
        var problem = writeRest()
        adopting.withLock { _ in
            state.withLock { state in
                // The portions skip some if a round that is ending removes entries meanwhile.
                var start = 0
                while problem == nil, writePortion(from: &start, &problem, &state) {}
                if isTidy, state.own?.waiting == 0 {
                    _ = settle([], &state)
                    if state.own?.size == 0 { state.own?.file.remove() }
                }
                // Explicitly, since a task that waits for the disk may still use them.
                state.own?.file.descriptor.unlock()
                for file in state.former { file.descriptor.unlock() }
                (state.isClosed, state.isRefusing) = (true, true)
                (state.own, state.former) = (nil, [])
            }
        }
        return problem.map { [$0] } ?? []
    }
}
