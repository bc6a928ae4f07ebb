import AllotConfiguration
import AllotFiles

protocol ExposureRecording: Sendable {
    var recordsOnReading: Bool { get }

    /// Records an exposure; called once for each assignment of a snapshot, and again if it returns `false`: then the
    /// exposure may be recorded later. Must be quick, since a reader waits.
    func record(_ assignment: ExperimentAssignment, in configuration: Configuration) -> Bool
}

/// Stands for the reporter of a client that has none, and says once that exposures are not reported.
final class UnreportedExposures: ExposureRecording {
    private enum State {
        case unexposed
        case untold(experiment: String)
        case told
    }

    private let state = Lock(State.unexposed)
    private let events: Broadcast<ConfigurationEvent>
    private let log: @Sendable (ConfigurationEvent) -> Void

    init(_ events: Broadcast<ConfigurationEvent>, log: @escaping @Sendable (ConfigurationEvent) -> Void) {
        (self.events, self.log) = (events, log)
    }

    var recordsOnReading: Bool { true }

    func record(_ assignment: ExperimentAssignment, in configuration: Configuration) -> Bool {
        guard assignment.unit != UnitContract.noUnit else { return true }
        let isFirst = state.withLock { state in
            guard case .unexposed = state else { return false }
            state = .untold(experiment: assignment.experiment)
            return true
        }
        if isFirst {
            log(.unreportedExposures(experiment: assignment.experiment))
            tell()
        }
        return true
    }

    func tell() {
        let experiment = state.withLock { state -> String? in
            guard case .untold(let experiment) = state, events.subscriberCount > 0 else { return nil }
            state = .told
            return experiment
        }
        if let experiment { events.send(.unreportedExposures(experiment: experiment)) }
    }
}
