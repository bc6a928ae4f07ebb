import AllotFiles
import Foundation

/// Sends the events of a journal when they are due, one request at a time: there is a round of sending, or a timer that
/// starts the next one. Another timer may run until events that the server did not accept are sent again.
final class ExposureDelivery: Sendable {
    private enum Delay {
        case moreEvents
        /// The end of a delay after a failure.
        case retry
        case requestedByServer
    }

    private struct State {
        var isEnding = false
        var round: Task<Void, Never>?
        var roundCount = 0
        var timer: (number: Int, delay: Delay, task: Task<Void, Never>)?
        var timerCount = 0
        var failures = 0
        /// The number of events that the server seems to accept in one request.
        var batchLimit: Int
        /// Waits until postponed events are sent again; `nil` if that is due, or none are postponed.
        var resend: Task<Void, Never>?
        var isResendDue = false
        /// The number of consecutive times that postponed events were sent, and some were postponed again.
        var resendCount = 0
    }

    private let journal: ExposureJournal
    private let sender: any ExposureSender
    private let options: ExposureOptions
    private let reports: ExposureReports
    private let state: Lock<State>

    init(
        _ journal: ExposureJournal, _ sender: any ExposureSender, _ options: ExposureOptions, _ reports: ExposureReports
    ) {
        (self.journal, self.sender, self.options, self.reports) = (journal, sender, options, reports)
        state = Lock(State(batchLimit: options.batchSize))
    }

    // MARK: When to send

    func start() {
        adopt()
        noteRecorded()
    }

    /// Makes sure that waiting events are sent in time. Complexity: O(1).
    func noteRecorded() { state.withLock { schedule(&$0) } }

    private func schedule(_ state: inout State) {
        guard !state.isEnding, state.round == nil else { return }
        if let delay = state.timer?.delay, delay != .moreEvents { return }
        let count = journal.count - journal.postponedCount
        if state.isResendDue || count >= options.batchSize {
            startRound(&state)
        } else if count > 0, state.timer == nil {
            startTimer(.moreEvents, options.delay, &state)
        }
    }

    func flush() async {
        // A round that began earlier may not send the latest events.
        await state.withLock { $0.round }?.value
        let round = state.withLock { state in
            if state.round == nil, !state.isEnding, state.timer?.delay != .requestedByServer, journal.count > 0 {
                state.isResendDue = journal.postponedCount > 0
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
            // First, since flushing may wait for a round that began when the disk was still full.
            self.reportStorage(self.journal.synchronize())
            await self.flush()
            end.finish()
        }
        // In a task of its own, so that waiting events are sent even if the caller's task was cancelled.
        await Task { for await _ in ended {} }.value
        limiter.cancel()
        abandon(isTidy: true)
    }

    /// Ends at once; waiting events stay on disk. A sender that ignores its cancellation keeps running; its result
    /// changes nothing any more.
    func abandon(isTidy: Bool = false) {
        state.withLock { state in
            state.isEnding = true
            for task in [state.round, state.timer?.task, state.resend] { task?.cancel() }
            (state.round, state.timer, state.resend) = (nil, nil, nil)
        }
        reportStorage(journal.close(isTidy: isTidy))
        reports.finish()
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
        state.roundCount += 1
        state.round = Task { [number = state.roundCount, isResend = state.isResendDue] in
            await self.run(number, isResend: isResend)
        }
    }

    private func run(_ number: Int, isResend: Bool) async {
        adopt()
        reportStorage(journal.synchronize())
        let round = await sendAll(Round(number: number, isResend: isResend))
        if let reason = round.reason { reports.send(.postponed(count: round.postponedCount, reason: reason)) }
        let report = state.withLock { state -> ExposureReport? in
            state.round = nil
            scheduleResend(after: round, &state)
            guard let error = round.error else {
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

    /// Makes sure that postponed events are sent again, by the next round or after a delay that doubles.
    private func scheduleResend(after round: Round, _ state: inout State) {
        let isWaiting = journal.postponedCount > 0
        if round.isResend, round.error == nil || !isWaiting {
            state.isResendDue = false
            state.resendCount = isWaiting ? state.resendCount + 1 : 0
            state.resend?.cancel()
            state.resend = nil
        }
        guard isWaiting, !state.isResendDue, state.resend == nil, !state.isEnding else { return }
        let delay = options.retry.delay(afterFailures: state.resendCount + 1, random: options.clock.random())
        state.resend = Task { [options] in
            guard (try? await options.clock.sleep(.seconds(delay))) != nil else { return }
            self.resendDelayEnded()
        }
    }

    private func resendDelayEnded() {
        state.withLock { state in
            state.resend = nil
            state.isResendDue = journal.postponedCount > 0
            schedule(&state)
        }
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

    private struct Round {
        let number: Int
        let isResend: Bool
        var error: RequestError?
        /// How many events the server did not accept, and its reason for the last one.
        var postponedCount = 0
        var reason: String?
    }

    /// The number of consecutive single events that may be refused before the server is probably at fault.
    private static let singleRefusalLimit = 8

    /// Sends the events that wait now, those that were postponed last. A batch that is refused as a whole is halved
    /// until the event is found that the server does not accept, which is postponed.
    private func sendAll(_ first: Round) async -> Round {
        var round = first
        var size = state.withLock { $0.batchLimit }
        var rest = journal.count - (round.isResend ? 0 : journal.postponedCount)
        var refusals = 0
        while rest > 0 {
            var batch = journal.first(min(size, rest))
            if batch.isEmpty, round.isResend { batch = journal.first(min(size, rest), postponedBefore: round.number) }
            guard !batch.isEmpty else { break }
            if Task.isCancelled {
                round.error = RequestError(.cancelled, "sending was stopped; the next run goes on")
                break
            }
            do throws(RequestError) {
                let answer = try await sender.send(batch)
                try answer.check(batch.count)
                rest -= settle(batch, answer, &round)
                size = min(size * 2, state.withLock { $0.batchLimit })
                refusals = 0
            } catch {
                round.error = error
                guard error.concernsContents else { break }
                if batch.count > 1 {
                    size = batch.count / 2
                    if error.kind == .status(413) { state.withLock { $0.batchLimit = size } }
                    continue
                }
                // This event was too large, not the batch.
                if error.kind == .status(413) { state.withLock { $0.batchLimit = options.batchSize } }
                rest -= 1
                refusals += 1
                postpone(batch, error.description, &round)
                if refusals == Self.singleRefusalLimit { break }
            }
            round.error = nil
        }
        return round
    }

    private func postpone(_ events: [ExposureEvent], _ reason: String, _ round: inout Round) {
        guard !events.isEmpty else { return }
        journal.postpone(events, in: round.number)
        round.postponedCount += events.count
        round.reason = reason
    }

    /// Removes the events that the server has stored or rejected. Returns how many need not be sent in this round.
    private func settle(_ batch: [ExposureEvent], _ answer: ExposureAnswer, _ round: inout Round) -> Int {
        var taken: [ExposureEvent] = []
        var moved: [ExposureEvent] = []
        var rejected: [(event: ExposureEvent, reason: String)] = []
        var postponed: [(event: ExposureEvent, reason: String)] = []
        for (index, event) in batch.enumerated() {
            guard let failure = answer.failures[index] else {
                taken.append(event)
                continue
            }
            if let earlier = corrected(event, answer.serverTime) {
                moved.append(earlier)
                continue
            }
            switch failure {
            case .rejected(let reason): rejected.append((event, reason))
            case .postponed(let reason): postponed.append((event, reason))
            }
        }
        journal.replace(moved)
        postpone(postponed.map(\.event), postponed.last?.reason ?? "", &round)
        reportStorage(journal.remove(taken + rejected.map(\.event)))
        if !taken.isEmpty { reports.send(.sent(count: taken.count, duplicates: answer.duplicates)) }
        for (event, reason) in rejected { reports.send(.dropped(event, reason: reason)) }
        return batch.count - moved.count
    }

    /// An event that lies in the server's future, moved as if the device's clock had shown the server's time. Returns
    /// `nil` for one that does not lie there, or was moved before.
    private func corrected(_ event: ExposureEvent, _ serverTime: Date?) -> ExposureEvent? {
        guard let serverTime, !event.isMoved, let at = ISO8601Date.date(event.at),
            // The server writes whole seconds.
            at.timeIntervalSince(serverTime) > 1
        else { return nil }
        let ahead = max(0, options.clock.now().timeIntervalSince(serverTime))
        let time = min(at.addingTimeInterval(-ahead), serverTime)
        return event.moved(to: ExposureTime.text(time), correction: Int64(time.timeIntervalSince(at).rounded()))
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
