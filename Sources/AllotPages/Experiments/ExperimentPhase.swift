import AllotCore

/// The phase of an experiment at an instant, by its status, and for a running one by its schedule too.
public enum ExperimentPhase: String, Sendable, CaseIterable {
    /// Enrols units now.
    case running
    /// Its status is running, and its start is still to come.
    case scheduled
    /// Being prepared: only forced units are assigned a variant.
    case draft
    /// Assigns no unit.
    case paused
    /// Its status is running, and its end has passed.
    case ended
    /// Over: everyone in the audience gets the winner, if there is one.
    case concluded
}

extension Plan.Experiment {
    package func phase(at instant: Instant) -> ExperimentPhase {
        switch status {
        case .draft: .draft
        case .paused: .paused
        case .concluded: .concluded
        case .running:
            switch schedule.reason(at: instant) {
            case .notStarted: .scheduled
            case .ended: .ended
            default: .running
            }
        }
    }
}
