import AllotConfiguration
import AllotSigning
import Synchronization

/// Signatures of the configurations of one plan, by what was decided: a signature takes longer than the rest of an
/// answer. A full cache begins anew. `Sendable`.
package final class SignatureCache: Sendable {
    private let state = Mutex((keyID: "", signatures: [String: String]()))
    private let limit: Int

    /// The usual limit is about half a megabyte with RSA.
    package init(limit: Int = 1024) { self.limit = limit }

    package func signature(
        of fingerprint: String, by key: SigningKey, _ body: () -> [UInt8]
    ) throws(SignatureError) -> String {
        let known = state.withLock { state in
            if state.keyID != key.keyID { state = (key.keyID, [:]) }
            return state.signatures[fingerprint]
        }
        if let known { return known }
        // Signed outside the lock: others need not wait.
        let made = try key.sign(body()).text
        state.withLock { state in
            guard state.keyID == key.keyID else { return }
            if state.signatures.count >= limit { state.signatures = [:] }
            state.signatures[fingerprint] = made
        }
        return made
    }

    package var count: Int { state.withLock { $0.signatures.count } }
}
