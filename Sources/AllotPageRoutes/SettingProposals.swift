import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotPages
import AllotServing
import Dispatch

/// Tries changes of settings out on the files of a definitions folder, and writes them, one after another, because each
/// takes as long as `allot check` and `allot test` do.
package final class SettingProposals: Sendable {
    private let folder: String
    private let limits: DefinitionLimits
    private let queue = DispatchQueue(label: "allot.edits")
    /// Whether bearers of a token with the scope `edit` may write changes.
    let mayWrite: Bool

    package init(folder: String, limits: DefinitionLimits, mayWrite: Bool = false) {
        self.folder = folder
        self.limits = limits
        self.mayWrite = mayWrite
    }

    /// Tries a change out.
    func make(_ form: SettingForm, at instant: Instant) async throws -> SettingProposal {
        try await withDefinitions(at: instant) { [mayWrite] in
            SettingProposal(form, in: $0, at: instant, forWriting: mayWrite)
        }
    }

    /// Tries a change out again, and writes it if the files are those for which it was confirmed.
    ///
    /// - Parameter bearer: the bearer of the token, who becomes the author.
    func write(
        _ form: SettingForm, by bearer: AccessBearer, at instant: Instant
    ) async throws -> (edit: DefinitionsEdit, commit: String?) {
        try await withDefinitions(at: instant) { definitions in
            let proposal = SettingProposal(form, in: definitions, at: instant)
            guard let edit = proposal.edit?.edit, proposal.mayBeWritten,
                form.confirmation == bearer.confirmation(of: edit.digests)
            else {
                throw RequestFailure(
                    .conflict,
                    "nothing was written, because a file was changed after the page was made, or this is not the "
                        + "change that it showed; open the form again, and look at the change as it is now")
            }
            do throws(DefinitionsEdit.Failure) {
                return (edit, try proposal.write(by: bearer.name))
            } catch {
                throw RequestFailure(error.isTemporary ? .serviceUnavailable : .conflict, error.description)
            }
        }
    }

    /// The value that `body` makes of the files when its turn comes.
    private func withDefinitions<Value: Sendable>(
        at instant: Instant, _ body: @Sendable @escaping (EditableDefinitions) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [folder, limits] in
                continuation.resume(
                    with: Result<Value, any Error> {
                        let loader = DefinitionsLoader(now: instant, limits: limits)
                        let definitions: EditableDefinitions
                        do throws(DefinitionsError) {
                            definitions = try EditableDefinitions(folder: folder, loader: loader)
                        } catch {
                            throw RequestFailure(
                                .serviceUnavailable, "fix the errors of the definitions first: \(error)")
                        }
                        return try body(definitions)
                    })
            }
        }
    }
}
