import AllotClient
import AllotConfiguration
import Synchronization

/// A downloader that gives scripted answers, and remembers the requests.
final class ScriptedDownloader: Downloader {
    typealias Answer = @Sendable (DownloadRequest) async -> Result<DownloadAnswer, RequestError>

    private let state: Mutex<(answers: [Answer], requests: [DownloadRequest])>

    /// - Parameter answers: one for each request; the last answers all others.
    init(_ answers: Answer...) { state = Mutex((answers, [])) }

    var requests: [DownloadRequest] { state.withLock { $0.requests } }

    /// Answers from now on.
    func answer(_ answers: Answer...) { state.withLock { $0.answers = answers } }

    func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer {
        let answer = state.withLock { state -> Answer in
            state.requests.append(request)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
        return try await answer(request).get()
    }
}

/// Answers of servers.
enum Served {
    /// The configuration with these sections of settings, and the assignments to variants of experiments.
    static func body(_ sections: JSONObject, assignments: JSONObject = [:], meta: JSONObject = [:]) -> [UInt8] {
        var meta = meta
        if !assignments.isEmpty { meta["assignments"] = .object(assignments) }
        return ConfigurationDocument(sections: sections, meta: meta).canonicalBytes
    }

    /// A 200.
    static func ok(
        _ sections: JSONObject, tag: String? = nil, assignments: JSONObject = [:], meta: JSONObject = [:],
        interval: Double? = nil, boundary: Double? = nil
    ) -> ScriptedDownloader.Answer {
        bytes(body(sections, assignments: assignments, meta: meta), tag: tag, interval: interval, boundary: boundary)
    }

    /// A 200 with any body.
    static func bytes(
        _ body: [UInt8], tag: String? = nil, signature: String? = nil, interval: Double? = nil, boundary: Double? = nil
    ) -> ScriptedDownloader.Answer {
        { _ in
            .success(
                DownloadAnswer(
                    body: body, entityTag: tag, signature: signature, interval: interval, boundary: boundary))
        }
    }

    /// A 304.
    static let unchanged: ScriptedDownloader.Answer = { _ in .success(DownloadAnswer(body: nil)) }

    /// A status that is an error.
    static func status(_ status: Int, retryAfter: Double? = nil) -> ScriptedDownloader.Answer {
        { _ in .failure(RequestError(.status(status), "status \(status)", retryAfter: retryAfter)) }
    }

    /// No answer.
    static let unreachable: ScriptedDownloader.Answer = { _ in .failure(RequestError(.unreachable, "no server")) }

    /// An answer that a gate holds.
    static func held(_ gate: Gate, _ answer: @escaping ScriptedDownloader.Answer) -> ScriptedDownloader.Answer {
        { request in
            await gate.pass()
            return await answer(request)
        }
    }
}

/// Holds callers until it is opened.
final class Gate: Sendable {
    private let opening: AsyncStream<Void>
    private let opener: AsyncStream<Void>.Continuation
    private let coming: AsyncStream<Void>
    private let comer: AsyncStream<Void>.Continuation

    init() {
        (opening, opener) = AsyncStream.makeStream()
        (coming, comer) = AsyncStream.makeStream()
    }

    /// Waits until it is opened.
    func pass() async {
        comer.yield()
        for await _ in opening {}
    }

    /// Waits for a caller.
    func arrival() async { for await _ in coming { return } }

    func open() { opener.finish() }
}
