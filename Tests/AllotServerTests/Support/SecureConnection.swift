import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS

/// A connection with TLS that reads and writes when a test says so, which decides when a client stalls.
final class SecureConnection {
    private let connection: RawConnection
    /// Encrypts and decrypts; the bytes are carried by hand.
    private let channel: EmbeddedChannel

    /// Whether the other side broke the connection off below TLS, found by reading.
    var wasReset: Bool { connection.wasReset }

    /// Connects and makes the handshake, which negotiates HTTP/2 or another protocol.
    init(port: UInt16, window: Int32? = nil, negotiating name: String = "h2") throws {
        connection = try RawConnection(port: port, window: window)
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = [name]
        let handler = try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration), serverHostname: "localhost")
        let done = HandshakeNote()
        channel = EmbeddedChannel(handlers: [handler, done])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: Int(port))).wait()
        try sendEncrypted()
        while !done.isComplete {
            guard try receive() else { throw RawConnection.Failure(description: "the handshake was broken off") }
        }
    }

    /// Sends bytes; throws when the other side has closed.
    func send(_ bytes: [UInt8]) throws {
        channel.write(ByteBuffer(bytes: bytes), promise: nil)
        channel.flush()
        try sendEncrypted()
    }

    /// The bytes that come. Returns `nil` at the end, which a reset is too; throws if nothing comes for long.
    func read() throws -> [UInt8]? {
        var bytes: [UInt8] = []
        repeat {
            while var buffer = try channel.readInbound(as: ByteBuffer.self) {
                bytes += buffer.readBytes(length: buffer.readableBytes) ?? []
            }
            if !bytes.isEmpty { return bytes }
        } while try receive()
        return nil
    }

    private func sendEncrypted() throws {
        while var buffer = try channel.readOutbound(as: ByteBuffer.self) {
            try connection.send(buffer.readBytes(length: buffer.readableBytes) ?? [])
        }
    }

    /// Takes what comes, which may be for TLS alone. Returns `false` at the end.
    private func receive() throws -> Bool {
        guard channel.isActive, let bytes = connection.read(within: RunningServer.patience) else { return false }
        guard !bytes.isEmpty else { throw RawConnection.Failure(description: "nothing comes with TLS") }
        // What the other side breaks off ends in an error of TLS.
        do { try channel.writeInbound(ByteBuffer(bytes: bytes)) } catch { return false }
        try? sendEncrypted()
        return true
    }
}

/// Notes that the handshake is complete.
private final class HandshakeNote: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var isComplete = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { isComplete = true }
        context.fireUserInboundEventTriggered(event)
    }
}
