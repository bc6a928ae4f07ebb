import AllotFiles
import Logging
import NIOCore

/// Counts the connections that a listening socket accepts, and waits when there is no descriptor for another one.
final class ConnectionAcceptor: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    private static let pause = TimeAmount.milliseconds(100)
    /// The time between two lines of the log that say so.
    private static let silence = TimeAmount.seconds(10)
    private static let longestProbe = Duration.seconds(5)
    /// The bytes of answers that the kernel takes before it can send them.
    private static let unsentBytes: ChannelOptions.Types.SocketOption.Value = 64 * 1024
    private let handlers: ConnectionHandlers
    private let logger: Logger
    private var nextLine = NIODeadline.distantPast
    init(_ handlers: ConnectionHandlers, logger: Logger) { (self.handlers, self.logger) = (handlers, logger) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        let room = handlers.connections.open(channel, of: channel.remoteAddress.flatMap { ClientNetwork($0) })
        if case .none(let reason) = room {
            handlers.refusals.note(handlers.connections.refusal(reason))
            return channel.close(promise: nil)
        }
        // Else the kernel takes megabytes of answers without a reader, and says only then that they do not leave.
        channel.setOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)), value: Self.unsentBytes)
            .whenFailure { [logger] error in logger.debug("the unsent bytes of a connection have no limit: \(error)") }
        if room == .reserved {
            let lifetime = TimeAmount(min(handlers.limits.timeout, Self.longestProbe))
            let end = channel.eventLoop.scheduleTask(in: lifetime) { channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in end.cancel() }
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else {
            return context.fireErrorCaught(error)
        }
        let refusal = ConnectionRefusal(.descriptors, "a connection cannot be accepted (\(error))")
        handlers.refusals.note(refusal)
        if NIODeadline.now() >= nextLine {
            nextLine = .now() + Self.silence
            logger.error("\(refusal.message); raise the limit of open files, or allow fewer connections")
        }
        // The socket stays readable: without a pause this would repeat at once, again and again.
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            try? context.channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
