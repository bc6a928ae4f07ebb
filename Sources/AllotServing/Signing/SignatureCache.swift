import AllotConfiguration
import AllotSigning
import Synchronization

/// Signatures of the configurations of one plan, by what was decided: a signature takes longer than the rest of an
/// answer. When the cache is full, the half that was not used recently is dropped. `Sendable`.
package final class SignatureCache: Sendable {
    private struct State {
        var keyID = ""
        var recent: [String: String] = [:]
        var older: [String: String] = [:]
    }

    private let state = Mutex(State())
    private let half: Int
    /// A cache of at least 2 signatures: about half a megabyte with RSA.
    package init(limit: Int = 1024) { half = max(1, limit / 2) }

    package func signature(
        of fingerprint: String, by key: SigningKey, _ body: () -> [UInt8]
    ) throws(SignatureError) -> String {
        let known = state.withLock { state -> String? in
            if state.keyID != key.keyID { state = State(keyID: key.keyID) }
            if let known = state.recent[fingerprint] { return known }
            guard let known = state.older.removeValue(forKey: fingerprint) else { return nil }
            insert(known, for: fingerprint, &state)
            return known
        }
        if let known { return known }
        // Signed outside the lock: others need not wait.
        let made = try key.sign(body()).text
        state.withLock { state in if state.keyID == key.keyID { insert(made, for: fingerprint, &state) } }
        return made
    }

    package var count: Int { state.withLock { $0.recent.count + $0.older.count } }

    private func insert(_ signature: String, for fingerprint: String, _ state: inout State) {
        if state.recent.count >= half {
            state.older = state.recent
            state.recent = [:]
        }
        state.recent[fingerprint] = signature
    }
}
