import Allot
import AllotExposures
import Synchronization

/// The variants that exposures name and no definition has had: because the plan does not have them yet, or because
/// somebody invented them.
///
/// Their exposures are stored like any others, in a bounded room: when another variant needs a place, that of which an
/// exposure was received longest ago leaves it, with its exposures. So invented ones neither fill the store nor keep
/// others out. A variant that a definition has had stays, and takes no place.
final class UnconfirmedArms: Sendable {
    private struct State {
        /// The revision of the plan whose variants were confirmed last.
        var planRevision: String?
        /// The variants that have a place, with when exposures of them were received last: the greater, the later.
        var uses: [ExposureArm: Int] = [:]
        var lastUse = 0
        /// The variants that lost their place and may still have exposures.
        var leaving: Set<ExposureArm> = []

        /// Takes the place of the variant that was used longest ago. Returns whether one has a place.
        mutating func removeOldest() -> Bool {
            guard let oldest = uses.min(by: { $0.value < $1.value })?.key else { return false }
            uses[oldest] = nil
            leaving.insert(oldest)
            return true
        }
    }

    private let state = Mutex(State())

    /// The share of the room that may be leaving at a time: so much of it can one request change.
    private static let leavingShare = 20

    /// Confirms the variants of a plan, unless that was done before, and learns which others are stored.
    func follow(_ active: ActivePlan, in store: ExposureStore) async throws {
        guard state.withLock({ $0.planRevision != active.plan.revision }) else { return }
        try await store.confirm(active.arms)
        let stored = try await store.unconfirmedArms()
        state.withLock { state in
            state.uses = state.uses.filter { !active.knows($0.key) }
            // Before all that were used since.
            for (index, arm) in stored.enumerated() where state.uses[arm] == nil {
                state.uses[arm] = index - stored.count
            }
            state.planRevision = active.plan.revision
        }
    }

    /// Whether exposures of a variant that the plan does not have are stored now.
    ///
    /// - Parameter limit: the number of places.
    func admit(_ arm: ExposureArm, limit: Int) -> Bool {
        state.withLock { state in
            if state.uses[arm] == nil {
                while state.uses.count >= limit {
                    guard state.leaving.count < max(limit / Self.leavingShare, 1), state.removeOldest() else {
                        return false
                    }
                }
                state.leaving.remove(arm)
            }
            state.lastUse += 1
            state.uses[arm] = state.lastUse
            return true
        }
    }

    /// Deletes the exposures of the variants that lost their places.
    func makeRoom(in store: ExposureStore) async throws {
        let leaving = state.withLock { $0.leaving }
        guard !leaving.isEmpty else { return }
        _ = try await store.delete(ExposureDeletion(unconfirmed: Array(leaving)))
        state.withLock { $0.leaving.subtract(leaving) }
    }
}

extension ActivePlan {
    /// Whether the plan has a variant of a randomisation.
    func knows(_ arm: ExposureArm) -> Bool {
        plan.hasVariant(arm.variant, of: arm.experiment, salt: arm.salt)
    }

    /// The variants of all experiments that are randomised, with the experiments' revisions.
    fileprivate var arms: [(arm: ExposureArm, revision: String)] {
        plan.experiments.flatMap { experiment -> [(arm: ExposureArm, revision: String)] in
            guard let salt = experiment.salt else { return [] }
            return experiment.variants.map { variant in
                (ExposureArm(experiment: experiment.key, salt: salt, variant: variant.key), experiment.revision)
            }
        }
    }
}
