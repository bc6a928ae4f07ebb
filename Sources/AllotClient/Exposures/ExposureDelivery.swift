import Foundation
import Synchronization

/// Sends the events of a journal when they are due, one request at a time.
///
/// At any time there is at most one of a round of sending and a timer that starts the next round.
final class ExposureDelivery: Sendable {
    /// What a timer waits for.
    private enum Delay {
        /// More events.
        case moreEvents
        /// The end of a delay after a failure.
        case retry
        /// The end of a delay that the server asked for.
        case requestedByServer
    }

    private struct State {
        var isEnding = false
        var round: Task<Void, Never>?
        var timer: (number: Int, delay: Delay, task: Task<Void, Never>)?
        var timerCount = 0
        /// The number of consecutive rounds that failed.
        var failures = 0
        /// The number of events that the server seems to accept in one request.
        var batchLimit: Int
        /// The IDs of events that were refused alone, which may be the server's fault; skipped until it accepts others.
        var suspects: Set<String> = []
        /// The IDs of those that were refused by a server that accepted others in the same round.
        var accused: Set<String> = []
    }

    private let journal: ExposureJournal
    private let sender: any ExposureSender
    private let options: ExposureOptions
    private let reports: ExposureReports
    private let state: Mutex<State>

    init(
        _ journal: ExposureJournal, _ sender: any ExposureSender, _ options: ExposureOptions, _ reports: ExposureReports
    ) {
        self.journal = journal
        self.sender = sender
        self.options = options
        self.reports = reports
        state = Mutex(State(batchLimit: options.batchSize))
    }

    // MARK: When to send

    /// Takes over the events that earlier runs left.
    func start() {
        adopt()
        noteRecorded()
    }

    /// Makes sure that waiting events are sent in time. Complexity: O(1).
    func noteRecorded() {
        let count = journal.count
        guard count > 0 else { return }
        state.withLock { state in
            guard !state.isEnding, state.round == nil else { return }
            let isBatch = count >= options.batchSize
            switch state.timer?.delay {
            case nil: if isBatch { startRound(&state) } else { startTimer(.moreEvents, options.delay, &state) }
            case .moreEvents: if isBatch { startRound(&state) }
            case .retry, .requestedByServer: break
            }
        }
    }

    func flush() async {
        // A round that began earlier may not send the latest events.
        await state.withLock { $0.round }?.value
        let round = state.withLock { state in
            if state.round == nil, !state.isEnding, state.timer?.delay != .requestedByServer, journal.count > 0 {
                startRound(&state)
            }
            return state.round
        }
        await round?.value
        reportStorage(journal.synchronize())
    }

    func shutdown(within limit: Duration) async {
        journal.refuse()
        let limit = min(max(limit, .zero), .seconds(RetryPolicy.longestServerDelay))
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let limiter = Task { [options] in
            try? await options.clock.sleep(limit)
            end.finish()
        }
        Task {
            await self.flush()
            end.finish()
        }
        // In a task of its own, so that waiting events are sent even if the caller's task was cancelled.
        await Task { for await _ in ended {} }.value
        limiter.cancel()
        // A sender that ignores its cancellation keeps running; its result changes nothing any more.
        stop()
        journal.close(isTidy: true)
        reports.finish()
    }

    /// Ends at once; waiting events stay on disk.
    func abandon() {
        stop()
        journal.close(isTidy: false)
        reports.finish()
    }

    private func stop() {
        state.withLock { state in
            state.isEnding = true
            state.round?.cancel()
            state.round = nil
            state.timer?.task.cancel()
            state.timer = nil
        }
    }

    private func startTimer(_ delay: Delay, _ duration: Duration, _ state: inout State) {
        state.timerCount += 1
        let number = state.timerCount
        let task = Task { [options] in
            try? await options.clock.sleep(duration)
            self.timerEnded(number)
        }
        state.timer = (number, delay, task)
    }

    private func timerEnded(_ number: Int) {
        state.withLock { state in
            guard state.timer?.number == number, state.round == nil, !state.isEnding else { return }
            startRound(&state)
        }
    }

    private func startRound(_ state: inout State) {
        state.timer?.task.cancel()
        state.timer = nil
        state.round = Task { await self.run() }
    }

    private func run() async {
        adopt()
        reportStorage(journal.synchronize())
        let error = await sendAll()
        let report = state.withLock { state -> ExposureReport? in
            state.round = nil
            guard let error else {
                state.failures = 0
                return nil
            }
            state.failures += 1
            guard !state.isEnding else { return .failed(error, retryIn: nil) }
            let delay = Duration.seconds(options.delay(after: error, failures: state.failures))
            startTimer((error.retryAfter ?? 0) > 0 ? .requestedByServer : .retry, delay, &state)
            return .failed(error, retryIn: delay)
        }
        if let report { reports.send(report) }
        noteRecorded()
    }

    private func adopt() {
        let adoption = journal.adopt()
        if adoption.count > 0 { reports.send(.adopted(count: adoption.count)) }
        reportStorage(adoption.problems)
    }

    private func reportStorage(_ problems: [StoreError]) {
        for problem in problems { reports.send(.notStored(problem)) }
    }

    // MARK: What to send

    /// The number of consecutive single events that a server may refuse: if it refuses more, the events are hardly to
    /// blame.
    private static let patience = 8

    /// Sends the events that wait now. Returns the error that ended it.
    ///
    /// A batch that is refused as a whole is halved until the event is found that the server does not accept. That
    /// event is skipped. It is deleted only if the server has accepted others before it, and either accepts others
    /// after it or only a few such events are left; or if it is refused in this way in two rounds. A server that
    /// refuses everything loses no event; one that starts to do so loses at most ``patience`` in a round.
    private func sendAll() async -> RequestError? {
        var (size, skipped, accused) = state.withLock { ($0.batchLimit, $0.suspects, $0.accused) }
        var rest = journal.count - skipped.count
        /// Events that were refused alone since the last batch that was accepted.
        var doubtful: [Refused] = []
        var isAccepting = false
        var refusal: RequestError?
        defer {
            // If all that are left were refused, all are tried again.
            let suspects = skipped.count < journal.count ? skipped : []
            state.withLock { ($0.suspects, $0.accused) = (suspects, accused) }
        }
        while doubtful.count < Self.patience {
            if rest <= 0 {
                // The events that were refused while none was accepted are tried last.
                let doubtfulIDs = Set(doubtful.map(\.event.id))
                rest = skipped.count - doubtfulIDs.count
                guard isAccepting, rest > 0 else { break }
                skipped = doubtfulIDs
            }
            let batch = journal.first(min(size, rest), except: skipped)
            guard !batch.isEmpty else { break }
            if Task.isCancelled { return RequestError(.cancelled, "sending was stopped; the next run goes on") }
            do throws(RequestError) {
                let answer = try await sender.send(batch)
                try answer.check(batch.count)
                rest -= settle(batch, answer)
                size = min(size * 2, state.withLock { $0.batchLimit })
                accused.subtract(batch.lazy.map(\.id))
                if isAccepting { drop(doubtful, &skipped) }
                doubtful = []
                isAccepting = true
            } catch {
                guard case .status(let status) = error.kind, [400, 413, 422].contains(status) else { return error }
                if batch.count > 1 {
                    size = batch.count / 2
                    if status == 413 { state.withLock { $0.batchLimit = size } }
                    continue
                }
                // This event was too large, not the batch.
                if status == 413 { state.withLock { $0.batchLimit = options.batchSize } }
                rest -= 1
                refusal = error
                if isAccepting, accused.remove(batch[0].id) != nil {
                    drop([(batch[0], error.description)])
                } else {
                    skipped.insert(batch[0].id)
                    doubtful.append((batch[0], error.description))
                }
            }
        }
        guard isAccepting else { return refusal }
        guard doubtful.count < Self.patience else {
            accused.formUnion(doubtful.lazy.map(\.event.id))
            return refusal
        }
        drop(doubtful, &skipped)
        return nil
    }

    /// Removes the events that the server has answered. Returns how many events need not be sent any more.
    private func settle(_ batch: [ExposureEvent], _ answer: ExposureAnswer) -> Int {
        var taken: [ExposureEvent] = []
        var moved: [ExposureEvent] = []
        var dropped: [(ExposureEvent, String)] = []
        for (index, event) in batch.enumerated() {
            if let message = answer.failures[index] {
                if let earlier = corrected(event, answer.serverTime) {
                    moved.append(earlier)
                } else {
                    dropped.append((event, message))
                }
            } else {
                taken.append(event)
            }
        }
        journal.replace(moved)
        reportStorage(journal.remove(taken))
        if !taken.isEmpty { reports.send(.sent(count: taken.count, duplicates: answer.duplicates)) }
        drop(dropped)
        return taken.count + dropped.count
    }

    private typealias Refused = (event: ExposureEvent, reason: String)

    private func drop(_ events: [Refused], _ skipped: inout Set<String>) {
        skipped.subtract(events.lazy.map(\.event.id))
        drop(events)
    }

    private func drop(_ events: [Refused]) {
        guard !events.isEmpty else { return }
        reportStorage(journal.remove(events.map(\.event)))
        for (event, reason) in events { reports.send(.dropped(event, reason: reason)) }
    }

    /// An event that lies in the server's future, moved as if the device's clock had shown the server's time. Returns
    /// `nil` for one that does not lie there, or was moved before.
    private func corrected(_ event: ExposureEvent, _ serverTime: Date?) -> ExposureEvent? {
        guard let serverTime, !event.isMoved, let at = ISO8601Date.date(event.at), at > serverTime else { return nil }
        let ahead = max(0, options.clock.now().timeIntervalSince(serverTime))
        let time = min(at.addingTimeInterval(-ahead), serverTime)
        return event.moved(to: ExposureTime.text(time), correction: Int(time.timeIntervalSince(at).rounded()))
    }
}

extension ExposureAnswer {
    /// Throws if the answer does not account for each of the given number of events: then any of them may be lost.
    fileprivate func check(_ count: Int) throws(RequestError) {
        guard failures.keys.allSatisfy((0..<count).contains),
            (0...count).contains(stored), (0...count).contains(duplicates),
            stored + duplicates + failures.count == count
        else {
            throw RequestError(
                .malformed,
                "\(count) events were sent, but the answer reports \(stored) stored, \(duplicates) duplicates and "
                    + "\(failures.count) failures; check what answers in place of the server")
        }
    }
}
