import Hummingbird
import Logging

/// A bare server that answers everything with the same bytes: what any server of this framework costs.
///
///     ConstantServer PORT BYTES
@main
enum ConstantServer {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard arguments.count == 2 else { fatalError("usage: ConstantServer PORT BYTES") }
        let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: arguments[1])
        let router = Router()
        router.get("activeconfig/user/:id") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
        }
        var logger = Logger(label: "constant")
        logger.logLevel = .error
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: arguments[0])),
            logger: logger)
        try await application.runService()
    }
}
