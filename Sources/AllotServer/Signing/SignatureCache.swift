import AllotConfiguration
import AllotSigning
import Synchronization

/// Signatures of the configurations of one plan, by what was decided: a signature takes longer than all the rest of an
/// answer.
///
/// It serves the generic configuration, users whom no split experiment enrols, and those who ask again. A body tells the
/// user's own bucket in each split experiment: few users that are enrolled share one.
///
/// It goes with its plan, and holds signatures of one key. Of those that were not asked for since as many others came,
/// half are given up.
final class SignatureCache: Sendable {
    private struct State {
        var keyID = ""
        var recent: [String: String] = [:]
        var older: [String: String] = [:]
    }

    private let state = Mutex(State())
    private let half: Int

    /// About half a megabyte with RSA.
    static let defaultLimit = 1024

    /// - Parameter limit: the most signatures that are kept, at least 2.
    init(limit: Int = defaultLimit) {
        half = max(1, limit / 2)
    }

    /// The signature of a configuration, made if there is none yet.
    func signature(
        of fingerprint: String, by key: SigningKey, _ body: () -> [UInt8]
    ) throws(SignatureError) -> String {
        if let known = state.withLock({ find(fingerprint, key.keyID, &$0) }) { return known }
        // Signed outside the lock: others need not wait.
        let made = try key.sign(body()).text
        state.withLock { state in
            if state.keyID == key.keyID { insert(made, for: fingerprint, &state) }
        }
        return made
    }

    /// How many signatures are kept.
    var count: Int {
        state.withLock { $0.recent.count + $0.older.count }
    }

    private func find(_ fingerprint: String, _ keyID: String, _ state: inout State) -> String? {
        guard state.keyID == keyID else {
            state = State(keyID: keyID)
            return nil
        }
        if let known = state.recent[fingerprint] { return known }
        guard let known = state.older.removeValue(forKey: fingerprint) else { return nil }
        insert(known, for: fingerprint, &state)
        return known
    }

    private func insert(_ signature: String, for fingerprint: String, _ state: inout State) {
        if state.recent.count >= half {
            state.older = state.recent
            state.recent = [:]
        }
        state.recent[fingerprint] = signature
    }
}
