import Allot
import AllotConfiguration
import AllotExposures
import Synchronization

/// A variant of a randomisation.
struct Arm: Hashable, Sendable {
    let experiment: String
    let salt: String
    let variant: String
}

/// What exposures name and the plan does not know: because it does not have it yet, or no longer. Such exposures are
/// stored like any others, but the names are limited in number, so that nobody can fill the store with invented ones.
final class UnknownNames: Sendable {
    private struct Revision: Hashable {
        let experiment: String
        let salt: String
        let revision: String
    }

    private struct State {
        /// `nil` until they are read from the store.
        var arms: Set<Arm>?
        /// When they were read.
        var readAt = Instant(seconds: 0)
        /// The revision of the plan that does not know them.
        var planRevision = ""
        var revisions: Set<Revision> = []

        /// The number of arms.
        var count: Int { arms?.count ?? 0 }
    }

    private let state = Mutex(State())

    /// Reads the arms that are stored, unless that was done before. While they are too many, they are read again once a
    /// minute: somebody may have purged them.
    func load(from store: ExposureStore, unknownTo active: ActivePlan, limit: Int, at now: Instant) async throws {
        let isDue = state.withLock { state in
            guard state.arms == nil || state.count >= limit && now.seconds - state.readAt.seconds >= 60 else {
                return false
            }
            // One request reads; the others go on with what is known, if anything is.
            if state.arms != nil { state.readAt = now }
            return true
        }
        if isDue { try await reload(from: store, unknownTo: active, at: now) }
    }

    /// Reads the arms that are stored now: after a purge they may be fewer.
    func reload(from store: ExposureStore, unknownTo active: ActivePlan, at now: Instant) async throws {
        let stored = try await store.randomisations().flatMap { randomisation in
            randomisation.variants.map {
                Arm(experiment: randomisation.experiment, salt: randomisation.salt, variant: $0)
            }
        }
        state.withLock { state in
            state.arms = Set(stored.filter { !active.knows($0) })
            state.planRevision = active.plan.revision
            state.readAt = now
        }
    }

    /// Whether exposures of an arm that the plan does not know are stored.
    func accept(_ arm: Arm, unknownTo active: ActivePlan, limit: Int) -> Bool {
        state.withLock { state in
            if state.arms?.contains(arm) == true { return true }
            if state.count >= limit, state.planRevision != active.plan.revision {
                // A plan that was loaded since may know some of them.
                state.planRevision = active.plan.revision
                state.arms = state.arms?.filter { !active.knows($0) }
            }
            guard state.count < limit else { return false }
            state.arms?.insert(arm)
            return true
        }
    }

    /// Whether a revision is stored that is not the plan's.
    func accept(revision: String, of arm: Arm, limit: Int) -> Bool {
        let revision = Revision(experiment: arm.experiment, salt: arm.salt, revision: revision)
        return state.withLock { state in
            if state.revisions.contains(revision) { return true }
            guard state.revisions.count < limit else { return false }
            state.revisions.insert(revision)
            return true
        }
    }
}

extension ActivePlan {
    /// Whether the plan has a variant of a randomisation.
    func knows(_ arm: Arm) -> Bool {
        guard let experiment = experiment(arm.experiment), let salt = experiment.salt,
            UTF8Order.areEqual(salt, arm.salt)
        else {
            return false
        }
        return experiment.variants.contains { $0.key == arm.variant }
    }
}
