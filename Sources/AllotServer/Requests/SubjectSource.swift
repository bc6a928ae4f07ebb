import Allot
import AllotConfiguration
import Hummingbird

/// The subject that a request is about: what the client says of itself, and over it what the application knows.
struct SubjectSource<Context: RequestContext>: Sendable {
    let reading: RequestReading
    let attributes: AttributeSource<Context>?

    /// Adds what the application knows.
    func completed(_ subject: Subject, _ request: Request, _ context: Context) async throws -> Subject {
        guard let attributes else { return subject }
        var completed = subject
        for member in try await attributes(request, context).members {
            completed.setTyped(member.key, member.value)
        }
        return completed
    }
}
