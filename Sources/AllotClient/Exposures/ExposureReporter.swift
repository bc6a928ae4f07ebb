public import struct Foundation.URL

/// Records who has met which variant, and sends it to the server: queued on disk, in batches, each event stored once.
///
/// An event is in a file before the reading that caused it returns, and outlives the app from then on; a loss of power can
/// take those of the last moments. It is removed when the server has answered for it. A crash in between sends it again,
/// under the same ID, by which the server knows it.
///
/// A unit's exposure to a variant is recorded once for each revision of the experiment, also over several runs of the app.
///
/// Two reporters, in one process or two, may share a folder: each has a file of its own, and takes over those of processes
/// that have ended. They do not see each other's memory of what was recorded; the server stores what both send once. On
/// iOS give a folder in the app's own container: the system ends an app that is suspended while it holds a lock in the
/// container of a group.
///
/// `Sendable`. Let go of without ``shutdown(within:)``, it stops at once, as in a crash, and loses nothing.
public final class ExposureReporter: ExposureRecording, Sendable {
    private let options: ExposureOptions
    private let journal: ExposureJournal
    private let delivery: ExposureDelivery
    private let reports: ExposureReports

    /// Starts to record, and to send what earlier runs left in the folder. Reads the folder before it returns.
    ///
    /// - Parameters:
    ///   - folder: where events wait; made if it is not there. `nil` to keep them in memory, to be lost with the process.
    ///     When the folder cannot be used, events are held in memory, and ``events`` tells why.
    ///   - sender: sends them, such as ``URLSessionExposureSender``.
    ///   - options: What may differ from the defaults.
    public convenience init(folder: URL?, sender: any ExposureSender, options: ExposureOptions = ExposureOptions()) {
        self.init(folder: folder?.path, sender: sender, options: options, write: FileBytes.write)
    }

    init(folder: String?, sender: any ExposureSender, options: ExposureOptions, write: @escaping JournalWrite) {
        self.options = options.bounded
        reports = ExposureReports()
        journal = ExposureJournal(
            folder: folder, limit: self.options.queueLimit, memoryLimit: self.options.memoryLimit, write: write)
        delivery = ExposureDelivery(journal, sender, self.options, reports)
        delivery.start()
    }

    deinit {
        delivery.abandon()
    }

    /// Whether reading a setting is an exposure to the experiments that set it.
    public var recordsOnReading: Bool { options.recordsOnReading }

    /// How many events wait to be sent.
    public var waitingCount: Int { journal.count }

    /// What happens from now on, and to the first who listens the first 100 reports of what has happened so far. Ends with ``shutdown(within:)``.
    /// A listener that is slow misses the oldest of more than 256 reports.
    public var events: AsyncStream<ExposureReport> { reports.listen() }

    /// Sends now what waits; returns when it is sent, or the first attempt has failed. Does not wait for a pause after a
    /// failure to end, unless the server asked for it.
    public func flush() async {
        await delivery.flush()
    }

    /// Sends what waits, and ends: later exposures are refused. What could not be sent is sent by the next run.
    ///
    /// Returns at the limit even if the sender does not end when its task is cancelled, and does not heed the cancellation
    /// of the caller's task.
    ///
    /// - Parameter limit: how long sending may take, in seconds; at most a day, and what is not above 0 counts as 0.
    public func shutdown(within limit: Duration = .seconds(5)) async {
        await delivery.shutdown(within: limit)
    }

    package func record(_ assignment: ExperimentAssignment, in configuration: Configuration) {
        let event: ExposureEvent
        do throws(ExposureRefusal) {
            event = try ExposureEvent(assignment, in: configuration, at: options.now())
        } catch {
            return reports.send(.refused(error))
        }
        switch journal.append(event) {
        case .kept(let problem):
            reports.send(.recorded(event))
            if let problem { reports.send(.notStored(problem)) }
            delivery.noteRecorded()
        case .repeated: break
        case .full: reports.send(.refused(ExposureRefusal(assignment: assignment, reason: .queueFull)))
        case .closed: reports.send(.refused(ExposureRefusal(assignment: assignment, reason: .shutDown)))
        }
    }
}
