import AllotServing
import HummingbirdCore
import Logging
import NIOCore

/// Makes the handlers of connections, and has all that they share. `Sendable`.
package struct ConnectionHandlers: Sendable {
    package let limits: ConnectionLimits
    package let connections: ConnectionCounter
    let refusals: RefusalLog
    let routes: AllotRoutes
    /// Makes the handler of a connection of HTTP/2, whose frames it answers. Called on its event loop.
    package func http2(of channel: any Channel) -> any ChannelHandler { HTTP2Handler(self, on: channel) }

    func rules(of channel: any Channel) -> HeadRules {
        HeadRules(limits.hosts, reserve: connections.isReserved(channel) ? connections.refusal : nil)
    }
}

/// A connection as Hummingbird's server keeps it, until the connection closes.
package struct ServedConnection: ServerChildChannelValue {
    package let channel: any Channel
    package init(_ channel: any Channel) { self.channel = channel }
}

extension ServerChildChannel where Value == ServedConnection {
    /// Returns when the connection has closed. If another service has failed, which cancels the task, it is closed.
    package func handle(value: ServedConnection, logger: Logger) async {
        let channel = value.channel
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

/// Connections of HTTP/1 without TLS.
struct PlainChannel: ServerChildChannel {
    let handlers: ConnectionHandlers

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<ServedConnection> {
        channel.eventLoop.makeCompletedFuture {
            handlers.connections.adopt(channel)
            try handlers.addHTTP1(to: channel)
            return ServedConnection(channel)
        }
    }
}
