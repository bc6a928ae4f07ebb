import AllotConfiguration

public import struct Foundation.URL

/// Records exposures of users to variants and sends them to the server: queued on disk, in batches, each stored once.
///
/// ```swift
/// import Foundation
///
/// func makeReporter(server: URL, folder: URL) -> ExposureReporter {
///     ExposureReporter(
///         folder: folder.appendingPathComponent("exposures"), sender: URLSessionExposureSender(server: server))
/// }
/// ```
///
/// An event is in a file before the reading that caused it returns, and survives the end of the app; a loss of power
/// can lose the events of the last moments. It is removed when the server has stored it, or says that it never will.
/// After a crash in between it is sent again under the same ID, and the server ignores it.
///
/// A unit's exposure to a variant is recorded once for each randomisation of the experiment, across runs of the app;
/// one with an override on the device, or of a forced unit, is recorded apart, since it is not counted.
///
/// `Sendable`. If it is deallocated without ``shutdown(within:)``, it stops at once, as in a crash, and loses nothing.
public final class ExposureReporter: ExposureRecording, Sendable {
    private let options: ExposureOptions
    private let journal: ExposureJournal
    private let delivery: ExposureDelivery
    let reports = ExposureReports()

    /// Starts to record, and to send what earlier runs left in the folder. Reads the folder before it returns.
    ///
    /// - Parameters:
    ///   - folder: where events wait, created if necessary; `nil` keeps them in memory only, where they are lost when
    ///     the process ends. If the folder cannot be used, events are kept in memory, and ``events`` reports why.
    ///   - sender: sends the events, such as ``URLSessionExposureSender``.
    ///   - options: how exposures are recorded and sent.
    public convenience init(folder: URL?, sender: any ExposureSender, options: ExposureOptions = ExposureOptions()) {
        self.init(folder: folder?.path, sender: sender, options: options, write: LockedFile.append)
    }

    init(folder: String?, sender: any ExposureSender, options: ExposureOptions, write: @escaping JournalWrite) {
        self.options = options.bounded
        journal = ExposureJournal(
            folder: folder, limit: self.options.queueLimit, memoryLimit: self.options.memoryLimit, write: write)
        delivery = ExposureDelivery(journal, sender, self.options, reports)
        delivery.start()
    }

    deinit { delivery.abandon() }

    var recordsOnReading: Bool { options.recordsOnReading }
    package var waitingCount: Int { journal.count }
    /// Reports as they occur, until ``shutdown(within:)``. The first subscriber also receives up to 100 earlier ones.
    /// A slow subscriber misses the oldest of more than 256 reports.
    public var events: AsyncStream<ExposureReport> { reports.subscribe() }

    /// Sends waiting events now. Returns when they are sent, or the first attempt has failed.
    ///
    /// Does not wait for the end of a delay after a failure, unless the server asked for it.
    public func flush() async { await delivery.flush() }

    /// Sends waiting events and ends; later exposures are refused. The next run sends what could not be sent.
    ///
    /// Returns at the limit even if the sender ignores the cancellation of its task, and ignores a cancellation of the
    /// caller's task.
    ///
    /// - Parameter limit: the maximal time for sending, at most a day.
    public func shutdown(within limit: Duration = .seconds(5)) async { await delivery.shutdown(within: limit) }

    /// Returns `false` if the queue is full: the exposure can be recorded when there is room again.
    @discardableResult
    package func record(_ assignment: ExperimentAssignment, in configuration: Configuration) -> Bool {
        // Of an experiment without a unit there is nothing to count.
        guard assignment.unit != UnitContract.noUnit else { return true }
        let event: ExposureEvent
        do throws(ExposureRefusal) {
            event = try ExposureEvent(assignment, in: configuration, at: options.clock.now())
        } catch {
            reports.send(.refused(error))
            return true
        }
        func refuse(_ reason: ExposureRefusal.Reason) {
            reports.send(.refused(ExposureRefusal(assignment: assignment, reason: reason)))
        }
        switch journal.append(event) {
        case .kept(let problem):
            reports.send(.recorded(event))
            if let problem { reports.send(.notStored(problem)) }
            delivery.noteRecorded()
        case .repeated: break
        case .tooLarge: refuse(.tooLarge)
        case .full:
            refuse(.queueFull)
            return false
        case .closed: refuse(.shutDown)
        }
        return true
    }
}
