import AllotCore
import AllotServing
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Allot in a server of plain SwiftNIO: all its routes, and one of the application's own.
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
        var allot = AllotService(definitions)
        allot.exposures = ExposureService(arguments[2], plans: definitions.plans, logger: logger)
        allot.fetchInterval = .seconds(300)
        let server = HTTPServer(port: port, routes: AllotRoutes(allot, logger: logger), logger: logger)
        // Started in this order and stopped in the reverse one.
        try await ServiceGroup(
            services: [allot, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        ).run()
    }
}

/// Connections of HTTP/1.1.
struct HTTPServer: Service {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let port: Int
    let routes: AllotRoutes
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
                var (request, isKeptAlive) = (ServiceRequest(method: "GET", target: "/"), true)
                for try await part in requests {
                    switch part {
                    case .head(let head):
                        request = ServiceRequest(
                            method: head.method.rawValue, target: head.uri, headers: Array(head.headers))
                        isKeptAlive = head.isKeepAlive
                    case .body(let bytes):
                        request.body += bytes.readableBytesView
                        // Anybody who sends more than a route takes is cut off.
                        if request.body.count > routes.service.limits.exposureBodyBytes { return }
                    case .end:
                        try await send(await answer(request), to: request, responses)
                        if !isKeptAlive { return }
                    }
                }
            }
        } catch {
            logger.debug("a connection ended: \(error)")
        }
    }

    private func answer(_ request: ServiceRequest) async -> HTTPAnswer {
        // A path of the application's own, for the user of its session.
        if request.target == "/v2/config",
            let session = request.headers.first(where: { $0.name.lowercased() == "shop-session" })
        {
            return routes.configuration(to: request, for: Subject(id: session.value))
        }
        // What the application knows of the user of any other request is what `request.attributes` finds.
        return await routes.answer(request)
    }

    private func send(
        _ answer: HTTPAnswer, to request: ServiceRequest,
        _ responses: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        let isHead = request.method == "HEAD"
        var answer = answer
        if isHead { answer.stream = nil }
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        if answer.hasLength { headers.add(name: "Content-Length", value: String(answer.body.count)) }
        let status = HTTPResponseStatus(statusCode: answer.status)
        try await responses.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
        if let stream = answer.stream {
            // Events go on until the client disconnects, or the task is cancelled as the server shuts down.
            try await stream.write { try await responses.write(.body(.byteBuffer(ByteBuffer(bytes: $0)))) }
        } else if !isHead {
            try await responses.write(.body(.byteBuffer(ByteBuffer(bytes: answer.body))))
        }
        try await responses.write(.end(nil))
    }
}
