import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotPages
import AllotServing
import Dispatch
import Synchronization

/// Tries changes out on the files of a definitions folder, and writes them, one after another, as each takes long.
package final class ChangeProposals: Sendable {
    private let folder: String
    private let limits: DefinitionLimits
    private let paths: FolderPaths
    private let queue = DispatchQueue(label: "allot.edits")
    private let waiting = Mutex(0)
    /// The most changes that wait for their turn: a link to one can be opened by many.
    private static let mostWaiting = 32
    /// Whether bearers of a token with the scope `edit` may write changes.
    let mayWrite: Bool

    package init(folder: String, limits: DefinitionLimits, mayWrite: Bool = false) {
        (self.folder, self.limits, self.mayWrite) = (folder, limits, mayWrite)
        paths = FolderPaths(folder)
    }

    func make<Form: ChangeForm>(_ form: Form, at instant: Instant) async throws -> ChangeProposal<Form> {
        try await withDefinitions(at: instant) { [mayWrite] in
            ChangeProposal(form, in: try $0.get(), at: instant, forWriting: mayWrite)
        }
    }

    /// A change as pages show it, which say why none can be tried.
    func shown<Form: ChangeForm>(_ form: Form, at instant: Instant) async throws -> ChangeProposal<Form> {
        try await withDefinitions(at: instant) { [mayWrite] in
            switch $0 {
            case .success(let definitions): ChangeProposal(form, in: definitions, at: instant, forWriting: mayWrite)
            case .failure(let failure): ChangeProposal(form, problem: failure.message)
            }
        }
    }

    /// The outcome of trying a change out, with its confirmation for a bearer, if there is one and it may be written.
    func outcome<Form: ChangeForm>(
        of form: Form, for bearer: AccessBearer?, at instant: Instant
    ) async throws -> ChangeOutcome<Form> {
        let proposal = try await shown(form, at: instant)
        let digests = proposal.mayBeWritten ? proposal.edit?.edit.digests : nil
        return .proposal(proposal, confirmation: digests.flatMap { bearer?.confirmation(of: $0) })
    }

    /// Tries a change out again, and writes it, by its author, if the files are those for which it was confirmed.
    func write(
        _ form: some ChangeForm, by bearer: AccessBearer, at instant: Instant
    ) async throws -> (edit: DefinitionsEdit, commit: String?) {
        try await withDefinitions(at: instant) { [paths] definitions in
            let proposal = ChangeProposal(form, in: try definitions.get(), at: instant)
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
                throw RequestFailure(
                    error.isTemporary ? .serviceUnavailable : .conflict, paths.cut(from: error.description))
            }
        }
    }

    /// The value that `body` makes of the files, or of their errors, when its turn comes.
    private func withDefinitions<Value: Sendable>(
        at instant: Instant, _ body: @Sendable @escaping (Result<EditableDefinitions, RequestFailure>) throws -> Value
    ) async throws -> Value {
        let isRoom = waiting.withLock { count -> Bool in
            guard count < Self.mostWaiting else { return false }
            count += 1
            return true
        }
        guard isRoom else {
            throw RequestFailure(
                .serviceUnavailable, "many changes are being tried out; try this one again",
                headers: [("Retry-After", "5")])
        }
        defer { waiting.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [folder, limits, paths] in
                continuation.resume(
                    with: Result<Value, any Error> {
                        let loader = DefinitionsLoader(now: instant, limits: limits)
                        return try body(
                            Result { () throws(DefinitionsError) in
                                try EditableDefinitions(folder: folder, loader: loader)
                            }.mapError { error in
                                RequestFailure(
                                    .serviceUnavailable,
                                    "fix the errors of the definitions first: \(paths.cut(from: error.description))")
                            })
                    })
            }
        }
    }
}
