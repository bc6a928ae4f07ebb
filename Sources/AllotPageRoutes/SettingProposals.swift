import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotPages
import AllotServing
import NIOPosix
import Synchronization

/// Tries new values of settings out on the files of a definitions folder, one at a time, as that takes as long as
/// `allot check` and `allot test` do.
package final class SettingProposals: Sendable {
    private let folder: String
    private let limits: DefinitionLimits
    private let isBusy = Mutex(false)

    package init(folder: String, limits: DefinitionLimits) {
        self.folder = folder
        self.limits = limits
    }

    /// Tries a value out.
    func make(_ text: String, for path: String, at instant: Instant) async throws -> SettingProposal {
        guard
            isBusy.withLock({ busy in
                defer { busy = true }
                return !busy
            })
        else {
            throw RequestFailure(
                .serviceUnavailable, "another value is being tried out; try again", headers: [("Retry-After", "2")])
        }
        defer { isBusy.withLock { $0 = false } }
        return try await NIOThreadPool.singleton.runIfActive { [folder, limits] in
            let loader = DefinitionsLoader(now: instant, limits: limits)
            let definitions: EditableDefinitions
            do throws(DefinitionsError) {
                definitions = try EditableDefinitions(folder: folder, loader: loader)
            } catch {
                throw RequestFailure(.serviceUnavailable, "fix the errors of the definitions first: \(error)")
            }
            guard let setting = definitions.loaded.definitions.setting(path) else {
                throw RequestFailure(.notFound, "the files do not declare a setting \(QuotedText(path)) any more")
            }
            return SettingProposal(text, for: setting, in: definitions, at: instant)
        }
    }
}
