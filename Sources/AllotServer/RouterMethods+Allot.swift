public import AllotConfiguration
@_exported public import AllotServing
import AsyncAlgorithms
import HTTPTypes
public import Hummingbird
import NIOCore
import ServiceLifecycle

/// The attributes that the application knows of the user of a request: they take precedence over those that the client
/// sends, and may contain `user_id`.
public typealias AttributeSource<Context: RequestContext> = @Sendable (Request, Context) async throws -> JSONObject

extension RouterMethods {
    /// Adds Allot's routes. All methods of their paths are Allot's: those without a route are answered with 405.
    public func addAllot(_ allot: AllotService, attributes: AttributeSource<Context>? = nil) {
        let routes = AllotRoutes(allot)
        for path in routes.paths {
            let depth = path.depth
            for method in AllotRoutes.methods.compactMap({ HTTPRequest.Method($0) }) {
                on(RouterPath(path.pattern), method: method) { request, context -> Response in
                    let head = ServiceRequest(request, context, depth: depth, attributes)
                    var request = request
                    let answer = try await routes.answer(head, reading: &request)
                    let response = Response(answer, to: request)
                    return method == .head ? response.createHeadResponse() : response
                }
            }
        }
    }
}

extension ServiceRequest {
    /// The head of a request of the router, to a route of which the path has a number of parts.
    fileprivate init<Context: RequestContext>(
        _ request: Request, _ context: Context, depth: Int, _ attributes: AttributeSource<Context>?
    ) {
        let uri = request.uri
        self.init(
            method: request.method.rawValue,
            // A target of absolute form begins with the scheme.
            target: uri.string.hasPrefix("/") ? uri.string : uri.path + (uri.query.map { "?" + $0 } ?? ""),
            headers: request.headers.map { (name: $0.name.rawName, value: $0.value) })
        if let authority = request.head.authority {
            headers.removeAll { $0.name.isHeaderName("host") }
            headers.append((name: "Host", value: authority))
        }
        logger = context.logger
        mount = uri.path.split(separator: "/").dropLast(depth).map { "/" + $0 }.joined()
        guard let attributes else { return }
        self.attributes = {
            do {
                return try await attributes(request, context)
            } catch let error as any HTTPResponseError {
                throw AnsweredByApplication(try await HTTPAnswer(error.response(from: request, context: context)))
            }
        }
    }
}

extension AllotRoutes {
    /// The answer to a request, of which the body is read if its route takes one.
    fileprivate func answer(_ head: ServiceRequest, reading request: inout Request) async throws -> HTTPAnswer {
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        switch admit(head, announced: length) {
        case .answered(let answer): return answer
        case .admitted(var admitted):
            guard admitted.route.body != .none else { return await answer(admitted) }
            do {
                for try await part in request.body {
                    try receive(part.readableBytesView, of: &admitted, announced: length)
                }
            } catch let failure as RequestFailure {
                return refuse(admitted, failure)
            } catch {
                // The client has left or breaks the rules.
                note(admitted, endedWith: 400)
                throw error
            }
            // If the client left in the middle of a body during a stream, Hummingbird would end the process.
            request.body = RequestBody(buffer: ByteBuffer())
            return await answer(admitted)
        }
    }
}

extension Response {
    fileprivate init(_ answer: HTTPAnswer, to request: Request) {
        var headers = HTTPFields()
        headers.reserveCapacity(answer.headers.count + 1)
        for field in answer.headers {
            guard let name = HTTPField.Name(field.name) else { continue }
            headers.append(HTTPField(name: name, value: field.value))
        }
        let body: ResponseBody
        if let stream = answer.stream {
            let requestBody = request.body
            body = ResponseBody { writer in
                if stream.isEndless {
                    try await stream.write(to: &writer, whileOpen: requestBody)
                } else {
                    try await stream.write { try await writer.write(ByteBuffer(bytes: $0)) }
                }
                try await writer.finish(nil)
            }
        } else {
            body = answer.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        }
        self.init(status: HTTPResponse.Status(code: answer.status), headers: headers, body: body)
    }
}

extension AnswerStream {
    /// Writes a stream without an end until the server shuts down, or the client leaves, which is noticed at once.
    fileprivate func write(to writer: inout any ResponseBodyWriter, whileOpen body: RequestBody) async throws {
        // The writer stays with this task; the task of the parts can be cancelled.
        let parts = AsyncChannel<[UInt8]>()
        let writing = Task {
            defer { parts.finish() }
            try await write { await parts.send($0) }
        }
        defer { writing.cancel() }
        try await withGracefulShutdownHandler {
            try await body.consumeWithInboundCloseHandler { _ in
                for await part in parts { try await writer.write(ByteBuffer(bytes: part)) }
            } onInboundClosed: {
                writing.cancel()
            }
        } onGracefulShutdown: {
            writing.cancel()
        }
    }
}

extension HTTPAnswer {
    fileprivate init(_ response: Response) async throws {
        let collected = CollectedBody()
        try await response.body.write(collected)
        self.init(
            status: response.status.code,
            headers: response.headers.filter { $0.name != .contentLength }
                .map { (name: $0.name.rawName, value: $0.value) },
            body: collected.bytes)
    }
}

private final class CollectedBody: ResponseBodyWriter {
    private(set) var bytes: [UInt8] = []
    func write(_ buffer: ByteBuffer) async throws { bytes.append(contentsOf: buffer.readableBytesView) }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
