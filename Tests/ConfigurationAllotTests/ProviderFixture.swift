import AllotConfiguration
import Configuration
import ConfigurationAllot
import Foundation
import Synchronization

@testable import AllotClient

/// A client with a server that answers as a test says, and a provider over it.
final class ProviderFixture: Sendable {
    let server: AnsweringServer
    let recorder = CountingRecorder()
    let client: ConfigurationClient
    let provider: AllotConfigurationProvider

    private let store = MemoryStore()

    /// - Parameter sections: the server's sections, which are active already.
    init(
        _ sections: JSONObject, assignments: JSONObject = [:], user: String? = "u",
        activation: ClientOptions.Activation = .atStart,
        secretKeys: @escaping @Sendable (String, String) -> Bool = { _, _ in false }
    ) {
        let document = Self.document(sections, assignments)
        server = AnsweringServer(Self.answer(document))
        var options = ClientOptions(activation: activation, retry: RetryPolicy(attempts: 1))
        options.clock.now = { Self.now }
        for user in [nil, user] { Self.keep(document, .active, for: ConfigurationUser(user), in: store) }
        client = ConfigurationClient(
            downloader: server, store: store, user: ConfigurationUser(user), options: options, recorder: recorder)
        provider = AllotConfigurationProvider(client: client, secretKeys: secretKeys)
    }

    /// Stores sections that were fetched for a user and are not active yet.
    func keepFetched(_ sections: JSONObject, for user: String) {
        Self.keep(Self.document(sections, [:]), .fetched, for: ConfigurationUser(user), in: store)
    }

    private static let now = Date(timeIntervalSince1970: 1_795_262_400)

    private static func keep(
        _ document: ConfigurationDocument, _ kind: StoreRecord.Kind, for user: ConfigurationUser, in store: MemoryStore
    ) {
        let stored = StoredConfiguration(
            user: user.id, number: 1, attributes: user.attributes, body: document.canonicalBytes, document: document,
            entityTag: "tag", signature: nil, fetchedAt: now)
        store.write(stored.record, StoreRecord(kind, user: user.id))
    }

    /// Sets the answer of the server.
    func serve(_ sections: JSONObject, assignments: JSONObject = [:]) {
        server.answer(Self.answer(Self.document(sections, assignments)))
    }

    /// Sets the answer of the server, which is active when this returns.
    func activate(_ sections: JSONObject, assignments: JSONObject = [:]) async throws {
        serve(sections, assignments: assignments)
        try await client.refresh(ifOlderThan: .zero)
        client.activate()
    }

    func content(
        _ components: String..., as type: ConfigType, context: [String: ConfigContextValue] = [:]
    ) throws -> ConfigContent? {
        try provider.value(forKey: AbsoluteConfigKey(components, context: context), type: type).value?.content
    }

    private static func answer(_ document: ConfigurationDocument) -> AnsweringServer.Answer {
        .success(DownloadAnswer(body: document.canonicalBytes, entityTag: "tag"))
    }

    private static func document(_ sections: JSONObject, _ assignments: JSONObject) -> ConfigurationDocument {
        ConfigurationDocument(sections: sections, meta: ["assignments": .object(assignments)])
    }
}

/// A server that gives one answer until a test sets another.
final class AnsweringServer: Downloader {
    typealias Answer = Result<DownloadAnswer, RequestError>

    private struct State {
        var answer: Answer
        var meanwhile: (@Sendable () -> Void)?
        var requestCount = 0
    }

    private let state: Mutex<State>

    init(_ answer: Answer) { state = Mutex(State(answer: answer)) }

    var requestCount: Int { state.withLock { $0.requestCount } }

    func answer(_ answer: Answer) { state.withLock { $0.answer = answer } }

    /// Sets an action that happens during each request.
    func meanwhile(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.meanwhile = action } }

    func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer {
        let (answer, meanwhile) = state.withLock { state in
            state.requestCount += 1
            return (state.answer, state.meanwhile)
        }
        meanwhile?()
        return try answer.get()
    }
}

/// Remembers the exposures that it receives.
final class CountingRecorder: ExposureRecording {
    private let recorded = Mutex<[String]>([])

    let recordsOnReading = true

    /// As `user experiment variant`.
    var exposures: [String] { recorded.withLock { $0 } }

    func record(_ assignment: ExperimentAssignment, in configuration: AllotClient.Configuration) -> Bool {
        let text = "\(configuration.user.id ?? "-") \(assignment.experiment) \(assignment.variant)"
        recorded.withLock { $0.append(text) }
        return true
    }
}

/// The assignment of the experiment `e` to a variant that sets settings.
func assignment(_ variant: String, sets settings: JSONValue...) -> JSONObject {
    ["e": ["variant": .string(variant), "settings": .array(settings)]]
}
