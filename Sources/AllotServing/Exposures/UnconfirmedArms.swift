import AllotCore
import AllotExposures
import Synchronization

/// The variants that exposures name and no definition has had: the plan does not have them yet, or senders invented
/// them. Their exposures are stored, and later those of the variants beyond a limit are deleted, by the order in which
/// the store received them. How many come between two looks is limited.
final class UnconfirmedArms: Sendable {
    private struct State {
        /// The variants that were admitted since the last look.
        var admitted: Set<ExposureArm> = []
        /// The revision of the plan at the last look; `nil` before the first, and after one that failed.
        var planRevision: String?
        /// When the next look is due, whatever happens: other servers use the store, too.
        var next: ContinuousClock.Instant?
        var revisions: [String: Set<String>] = [:]
    }

    private let state = Mutex(State())
    /// The most variants that one batch names and the plan does not have.
    static let batchLimit = 50
    /// The most of them that are admitted between two looks.
    private static let admissionLimit = 1000

    /// Whether exposures of a variant that the plan does not have are stored now.
    func admit(_ arm: ExposureArm) -> Bool {
        state.withLock { state in
            guard state.admitted.count < Self.admissionLimit || state.admitted.contains(arm) else { return false }
            state.admitted.insert(arm)
            return true
        }
    }

    func hasHad(_ revision: String, of experiment: String) -> Bool {
        state.withLock { $0.revisions[experiment]?.contains(revision) ?? false }
    }

    /// Confirms the variants of the plan, and deletes the exposures of those that no definition has had, except the
    /// last ones: if something was admitted since the last look or the plan is another, and once a minute.
    func settle(
        _ plan: Plan, in store: ExposureStore, at now: ContinuousClock.Instant, limit: Int = 1000
    ) async throws {
        let admitted = state.withLock { state -> Set<ExposureArm>? in
            let isNew = state.planRevision != plan.revision
            guard isNew || !state.admitted.isEmpty || state.next.map({ $0 <= now }) ?? true else { return nil }
            if isNew {
                for experiment in plan.experiments {
                    state.revisions[experiment.key, default: []].insert(experiment.revision)
                }
            }
            state.planRevision = plan.revision
            state.next = now + .seconds(60)
            defer { state.admitted = [] }
            return state.admitted
        }
        guard let admitted else { return }
        do {
            var arms: [(arm: ExposureArm, revision: String)] = []
            for experiment in plan.experiments {
                guard let salt = experiment.salt else { continue }
                for variant in experiment.variants {
                    let arm = ExposureArm(experiment: experiment.key, salt: salt, variant: variant.key)
                    arms.append((arm, experiment.revision))
                }
            }
            try await store.confirm(arms)
            let surplus = try await store.unconfirmedArms().dropLast(limit)
            // One that has just arrived again is not the oldest any more.
            let leaving = state.withLock { state in surplus.filter { !state.admitted.contains($0) } }
            if !leaving.isEmpty { _ = try await store.delete(ExposureDeletion(unconfirmed: leaving)) }
        } catch {
            state.withLock { state in
                state.admitted.formUnion(admitted)
                state.planRevision = nil
            }
            throw error
        }
    }
}
