import Foundation
import Synchronization

/// Sends what a journal holds: one request at a time, when it is due.
///
/// At any time at most one of a round of sending and a timer that starts the next is under way.
final class ExposureDelivery: Sendable {
    private enum Wait {
        /// For more events.
        case forMore
        /// After a failure.
        case afterFailure
        /// Because the server has asked for it.
        case asAsked
    }

    private struct State {
        var isEnding = false
        var round: Task<Void, Never>?
        var timer: (number: Int, wait: Wait, task: Task<Void, Never>)?
        var timerCount = 0
        /// How many rounds in a row have failed.
        var failures = 0
        /// The most events that the server seems to take at once.
        var batchLimit: Int
        /// The IDs of events that were refused alone, which may be the server's fault; passed over until it takes others.
        var suspects: Set<String> = []
        /// The IDs of those that were refused so by a server that took others in the same round.
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

    /// Finds what earlier runs have left.
    func start() {
        adopt()
        noteRecorded()
    }

    /// Sees to it that what waits is sent in time. Complexity: O(1).
    func noteRecorded() {
        let count = journal.count
        guard count > 0 else { return }
        state.withLock { state in
            guard !state.isEnding, state.round == nil else { return }
            let isBatch = count >= options.batchSize
            switch state.timer?.wait {
            case nil: if isBatch { startRound(&state) } else { startTimer(.forMore, options.delay, &state) }
            case .forMore: if isBatch { startRound(&state) }
            case .afterFailure, .asAsked: break
            }
        }
    }

    func flush() async {
        // One that began before may not send the latest events.
        await state.withLock { $0.round }?.value
        let round = state.withLock { state in
            if state.round == nil, !state.isEnding, state.timer?.wait != .asAsked, journal.count > 0 {
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
            try? await options.sleep(limit)
            end.finish()
        }
        Task {
            await self.flush()
            end.finish()
        }
        // In a task of its own, so that what waits is sent even if the caller's task was cancelled.
        await Task { for await _ in ended {} }.value
        limiter.cancel()
        // A sender that does not heed its cancellation is left alone: what it brings about later changes nothing.
        stop()
        journal.close(isTidy: true)
        reports.finish()
    }

    /// Ends at once; what waits stays on disk.
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

    private func startTimer(_ wait: Wait, _ duration: Duration, _ state: inout State) {
        state.timerCount += 1
        let number = state.timerCount
        let task = Task { [options] in
            try? await options.sleep(duration)
            self.timerEnded(number)
        }
        state.timer = (number, wait, task)
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
            startTimer((error.retryAfter ?? 0) > 0 ? .asAsked : .afterFailure, delay, &state)
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

    /// How many events in a row a server may refuse one by one: then it is hardly the events.
    private static let patience = 8

    /// Sends what waits now; returns the error that ended it.
    ///
    /// A batch that is refused as a whole is halved until the event is found that the server does not take. That event is
    /// passed over, and dropped only when the server has taken others before it, and others after it or nothing but a few
    /// such events is left; or when it is refused so in two rounds. With a server that refuses everything none is lost; with
    /// one that does so from some moment on, no more than ``patience`` are lost in a round.
    private func sendAll() async -> RequestError? {
        var (size, passedOver, accused) = state.withLock { ($0.batchLimit, $0.suspects, $0.accused) }
        var rest = journal.count - passedOver.count
        /// Events that were refused alone since the last batch that was taken.
        var doubtful: [Refused] = []
        var isTaking = false
        var refusal: RequestError?
        defer {
            // When none is left that has not been refused, all are tried again.
            let suspects = passedOver.count < journal.count ? passedOver : []
            state.withLock { ($0.suspects, $0.accused) = (suspects, accused) }
        }
        while doubtful.count < Self.patience {
            if rest <= 0 {
                // The last to be tried are those that were refused while none was taken.
                let doubtfulIDs = Set(doubtful.map(\.event.id))
                rest = passedOver.count - doubtfulIDs.count
                guard isTaking, rest > 0 else { break }
                passedOver = doubtfulIDs
            }
            let batch = journal.first(min(size, rest), except: passedOver)
            guard !batch.isEmpty else { break }
            if Task.isCancelled { return RequestError(.cancelled, "sending was stopped; the next run goes on") }
            do throws(RequestError) {
                let answer = try await sender.send(batch)
                try answer.check(batch.count)
                rest -= settle(batch, answer)
                size = min(size * 2, state.withLock { $0.batchLimit })
                accused.subtract(batch.lazy.map(\.id))
                if isTaking { drop(doubtful, &passedOver) }
                doubtful = []
                isTaking = true
            } catch {
                guard case .status(let status) = error.kind, [400, 413, 422].contains(status) else { return error }
                if batch.count > 1 {
                    size = batch.count / 2
                    if status == 413 { state.withLock { $0.batchLimit = size } }
                    continue
                }
                // It was this event that was too large, and not the number.
                if status == 413 { state.withLock { $0.batchLimit = options.batchSize } }
                rest -= 1
                refusal = error
                if isTaking, accused.remove(batch[0].id) != nil {
                    drop([(batch[0], error.message)])
                } else {
                    passedOver.insert(batch[0].id)
                    doubtful.append((batch[0], error.message))
                }
            }
        }
        guard isTaking else { return refusal }
        guard doubtful.count < Self.patience else {
            accused.formUnion(doubtful.lazy.map(\.event.id))
            return refusal
        }
        drop(doubtful, &passedOver)
        return nil
    }

    /// Forgets what the server has answered for; returns how many events need not be sent any more.
    private func settle(_ batch: [ExposureEvent], _ answer: ExposureAnswer) -> Int {
        var failures: [Int: String] = [:]
        for failure in answer.failures { failures[failure.index] = failure.message }
        var taken: [ExposureEvent] = []
        var moved: [ExposureEvent] = []
        var dropped: [(ExposureEvent, String)] = []
        for (index, event) in batch.enumerated() {
            if let message = failures[index] {
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

    private func drop(_ events: [Refused], _ passedOver: inout Set<String>) {
        passedOver.subtract(events.lazy.map(\.event.id))
        drop(events)
    }

    private func drop(_ events: [Refused]) {
        guard !events.isEmpty else { return }
        reportStorage(journal.remove(events.map(\.event)))
        for (event, reason) in events { reports.send(.dropped(event, reason: reason)) }
    }

    /// An event that lies in the server's future, as if the device's clock had shown the server's time; `nil` for one that
    /// does not, or was moved before.
    private func corrected(_ event: ExposureEvent, _ serverTime: Date?) -> ExposureEvent? {
        guard let serverTime, !event.isMoved, let at = ExposureTime.date(event.at), at > serverTime else { return nil }
        let ahead = max(0, options.now().timeIntervalSince(serverTime))
        let time = min(at.addingTimeInterval(-ahead), serverTime)
        return event.moved(to: ExposureTime.text(time), correction: Int(time.timeIntervalSince(at).rounded()))
    }
}

extension ExposureAnswer {
    /// Throws if the answer does not account for each of so many events: then any of them may be lost.
    fileprivate func check(_ count: Int) throws(RequestError) {
        let indices = Set(failures.map(\.index))
        guard indices.count == failures.count, indices.allSatisfy((0..<count).contains),
            (0...count).contains(stored), (0...count).contains(duplicates),
            stored + duplicates + failures.count == count
        else {
            throw RequestError(
                .malformed,
                "\(count) events were sent, and the answer tells of \(stored) stored, \(duplicates) duplicates and "
                    + "\(failures.count) failures; see what answers in the server's place")
        }
    }
}
