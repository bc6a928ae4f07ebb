import AllotExposures
import Synchronization

/// A variant of a randomisation.
struct Arm: Hashable, Sendable {
    let experiment: String
    let salt: String
    let variant: String
}

/// The variants of randomisations that exposures name and the plan does not know: because it does not have them yet, or
/// no longer. Their exposures are stored like any others, but their number is limited, so that nobody can fill the
/// store with invented names.
final class UnknownArms: Sendable {
    /// `nil` until they are read from the store.
    private let arms = Mutex<Set<Arm>?>(nil)

    /// Reads the names that are stored, unless that was done before.
    func load(from store: ExposureStore, knownTo active: ActivePlan) async throws {
        guard arms.withLock({ $0 == nil }) else { return }
        try await reload(from: store, knownTo: active)
    }

    /// Reads the names that are stored now: after a purge they may be fewer.
    func reload(from store: ExposureStore, knownTo active: ActivePlan) async throws {
        let stored = try await store.randomisations().flatMap { randomisation in
            randomisation.variants.map {
                Arm(experiment: randomisation.experiment, salt: randomisation.salt, variant: $0)
            }
        }
        arms.withLock { $0 = Set(stored.filter { !active.knows($0) }) }
    }

    /// Whether exposures of an arm that the plan does not know are stored.
    func accept(_ arm: Arm, limit: Int) -> Bool {
        arms.withLock { arms in
            if arms?.contains(arm) == true { return true }
            guard (arms?.count ?? 0) < limit else { return false }
            arms?.insert(arm)
            return true
        }
    }
}

extension ActivePlan {
    /// Whether the plan has a variant of a randomisation.
    func knows(_ arm: Arm) -> Bool {
        guard let experiment = experiment(arm.experiment), experiment.salt.text == arm.salt else { return false }
        return experiment.variants.contains { $0.key == arm.variant }
    }
}
