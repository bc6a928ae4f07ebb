import AllotConfiguration
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// Answers requests for configurations on the event loop, where they take a few microseconds; all other requests, and
/// all that are unusual, are passed on to Hummingbird, whose tasks would take several times as long for these.
///
/// Answers keep the order of their requests, because ``RequestQueue`` hands on one request after another. It serves
/// connections of HTTP/1; those of HTTP/2 have ``DirectFrames``.
package final class DirectAnswers: ChannelDuplexHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// The parts that the handlers of all connections share. `Sendable`.
    package struct Service: Sendable {
        private let answers: ConfigurationAnswers
        private let allot: AllotService
        private let logger: Logger
        private let date = DateHeader()

        /// An event loop serves many connections: what may take long is left to Hummingbird's tasks.
        private static let experimentLimit = 1000
        private static let targetLimit = 2048

        /// - Parameter logger: gets faults of the server.
        package init(_ allot: AllotService, logger: Logger) {
            self.allot = allot
            self.logger = logger
            answers = ConfigurationAnswers(allot)
        }

        /// Makes the handler of a connection of HTTP/1, which is added where Hummingbird's own handlers follow.
        package func handler() -> any RemovableChannelHandler {
            Placement(service: self)
        }

        /// The place of a request that can be answered directly. Returns `nil` if it is for Hummingbird.
        func place(of head: HTTPRequest) -> ConfigurationAnswers.Place? {
            guard head.method == .get || head.method == .head, let path = head.path,
                path.utf8.count <= Self.targetLimit, let place = answers.place(of: path),
                // A signature can take a millisecond.
                allot.signer == nil, allot.plans.current.plan.experiments.count <= Self.experimentLimit
            else { return nil }
            for field in head.headerFields {
                switch field.name {
                // A connection that ends, changes its protocol or sends a body is left to Hummingbird.
                case .connection where !field.keepsConnection: return nil
                case .contentLength, .transferEncoding, .upgrade, .expect: return nil
                default: continue
                }
            }
            return place
        }

        /// The whole answer to a request of which all is in its head.
        func answer(_ head: HTTPRequest, at place: ConfigurationAnswers.Place) -> RouteAnswer {
            var answer = answers.answer(head, at: place, logger)
            if let body = answer.body {
                answer.headers.append(HTTPField(name: .contentLength, value: String(body.readableBytes)))
            }
            answer.headers.append(HTTPField(name: .date, value: date.text(at: allot.plans.clock.now())))
            return answer
        }
    }

    private let service: Service
    /// A request that will be answered here once it has ended.
    private var held: (head: HTTPRequest, place: ConfigurationAnswers.Place)?
    /// Whether a request was passed on that Hummingbird has not answered.
    private var isPassedOn = false
    /// Whether Hummingbird may close the connection after an answer: then nothing is answered here any more.
    private var isEnding = false

    private init(_ service: Service) {
        self.service = service
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if !isEnding, let place = service.place(of: head) {
                held = (head, place)
            } else {
                passOn(head, context)
            }
        case .body:
            passHeldOn(context)
            context.fireChannelRead(data)
        case .end:
            // An answer that is written here waits in memory. Hummingbird waits with writing until the client reads.
            if held != nil, !context.channel.isWritable {
                context.flush()
                if !context.channel.isWritable { passHeldOn(context) }
            }
            guard let (head, place) = held else { return context.fireChannelRead(data) }
            held = nil
            write(service.answer(head, at: place), isHead: head.method == .head, context)
        }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelReadComplete()
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { isPassedOn = false }
        context.write(data, promise: promise)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed, !isPassedOn, held == nil, !isEnding {
            // Hummingbird, which has no request, would close the connection before the last answers are sent.
            isEnding = true
            return context.close(mode: .output, promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func passHeldOn(_ context: ChannelHandlerContext) {
        guard let (head, _) = held else { return }
        held = nil
        passOn(head, context)
    }

    private func passOn(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        isPassedOn = true
        if head.headerFields.contains(where: { $0.name == .connection && !$0.keepsConnection }) { isEnding = true }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private func write(_ answer: RouteAnswer, isHead: Bool, _ context: ChannelHandlerContext) {
        let head = HTTPResponse(status: answer.status, headerFields: answer.headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body = answer.body, !isHead { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Adds ``DirectAnswers`` after Hummingbird's handler of the connection's state, as soon as that is there, so that
    /// direct answers too count for the idle timeout and for ending a connection in an orderly way.
    private final class Placement: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart

        private let service: Service

        init(service: Service) {
            self.service = service
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let pipeline = context.pipeline.syncOperations
            if let state = try? pipeline.handler(type: HTTPConnectionStateHandler.self) {
                try? pipeline.addHandler(DirectAnswers(service), position: .after(state))
            }
            context.fireChannelRead(data)
            pipeline.removeHandler(context: context, promise: nil)
        }
    }
}

extension HTTPField {
    /// Whether a field `Connection` asks for nothing but what is usual.
    fileprivate var keepsConnection: Bool { value.lowercased() == "keep-alive" }
}

extension ConfigurationAnswers {
    /// The place of a request's target, of those that are written in the one usual way; the router knows all.
    fileprivate func place(of target: String) -> Place? {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        // A fragment is not for servers, but Hummingbird's URIs know it.
        if target.utf8.contains(UInt8(ascii: "#")) { return nil }
        let configuration = ServicePath.configuration.utf8
        if path.starts(with: configuration) {
            let rest = path.dropFirst(configuration.count)
            if rest.isEmpty { return generic }
            let id = rest.dropFirst()
            return rest.first == UInt8(ascii: "/") && !id.isEmpty && !id.contains(UInt8(ascii: "/")) ? user : nil
        }
        return path.elementsEqual(ServicePath.configurationByQuery.utf8) ? query : nil
    }
}
