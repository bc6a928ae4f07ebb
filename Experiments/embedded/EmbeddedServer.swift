import AllotServing
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Allot in a server of plain SwiftNIO: configurations, exposures and events.
///
///     embedded-server Experiments allot.sqlite 8080
@main
struct EmbeddedServer {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 3, let port = arguments.last.flatMap({ Int($0) }) else {
            print("usage: embedded-server DEFINITIONS EXPOSURES PORT")
            exit(64)
        }
        let logger = Logger(label: "embedded-server")
        let definitions = try DefinitionsReloader(folder: arguments[1], logger: logger)
        let exposures = ExposureService(arguments[2], plans: definitions.plans, logger: logger)
        let server = HTTPServer(
            port: port, plans: definitions.plans,
            configurations: ConfigurationService(definitions.plans, fetchInterval: .seconds(300)),
            exposures: exposures, logger: logger)
        // Started in this order and stopped in the reverse one.
        try await ServiceGroup(
            services: [definitions, exposures, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        ).run()
    }
}

/// Connections of HTTP/1.1.
struct HTTPServer: Service {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let port: Int
    let plans: PlanStore
    let configurations: ConfigurationService
    let exposures: ExposureService
    let logger: Logger

    /// Serves until shutdown.
    func run() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        logger.info("listening on 127.0.0.1:\(server.channel.localAddress?.port ?? port)")
        try await server.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections.cancelOnGracefulShutdown() {
                    group.addTask { await serve(connection) }
                }
                group.cancelAll()
            }
        }
    }

    /// Answers the requests of one connection, one after another.
    private func serve(_ connection: Connection) async {
        do {
            try await connection.executeThenClose { requests, responses in
                var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
                var body: [UInt8] = []
                for try await part in requests {
                    switch part {
                    case .head(let next): (head, body) = (next, [])
                    case .body(let bytes):
                        body += bytes.readableBytesView
                        // Anybody who sends more than a route takes is cut off.
                        if body.count > configurations.limits.exposureBodyBytes { return }
                    case .end:
                        if head.method == .GET, head.uri.prefix(while: { $0 != "?" }) == "/events" {
                            return try await sendEvents(to: responses)
                        }
                        try await send(await answer(head, body), to: responses)
                        if !head.isKeepAlive { return }
                    }
                }
            }
        } catch {
            logger.debug("a connection ended: \(error)")
        }
    }

    private func answer(_ head: HTTPRequestHead, _ body: [UInt8]) async -> HTTPAnswer {
        let known = head.headers.first(name: "If-None-Match")
        switch (head.method, head.uri.prefix { $0 != "?" }) {
        case (.POST, "/exposures"):
            return await exposures.record(body: body, contentType: head.headers.first(name: "Content-Type"))
        // An application adds what it knows of the user with `attributes:`.
        case (.GET, _): return configurations.answer(to: head.uri, ifNoneMatch: known)
        case (.POST, _): return configurations.answer(to: head.uri, body: body, ifNoneMatch: known)
        default: return HTTPAnswer(status: 405, headers: [("Allow", "GET, POST")])
        }
    }

    private func send(
        _ answer: HTTPAnswer, to responses: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        if answer.status != 304 { headers.add(name: "Content-Length", value: String(answer.body.count)) }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
        try await responses.write(contentsOf: [
            .head(head), .body(.byteBuffer(ByteBuffer(bytes: answer.body))), .end(nil),
        ])
    }

    /// Sends the present state of the plan, and each change of it, until the client disconnects.
    private func sendEvents(to responses: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>) async throws {
        let headers: HTTPHeaders = ["Content-Type": "text/event-stream", "Cache-Control": "no-store"]
        try await responses.write(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)))
        for try await event in plans.serverSentEvents() {
            try await responses.write(.body(.byteBuffer(ByteBuffer(string: event))))
        }
    }
}
