import AllotClient
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Serves the settings sheet to browsers on this machine.
///
/// Its address has a token, which other programs and pages do not know. A page whose host's name was pointed to this
/// machine, or a form of another origin, is refused even if it does.
struct SheetServer {
    private let sheet: SettingsSheet
    private let token: String
    private static let formLimit = 1 << 20

    init(_ sheet: SettingsSheet) {
        self.sheet = sheet
        token = (0..<3).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter report: receives the address when the server listens.
    func run(_ report: @escaping @Sendable (String) -> Void) async throws {
        var logger = Logger(label: "shop-app")
        logger.logLevel = .error
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { [self] request, _ in try await respond(to: request) },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { [token] channel in
                report("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/\(token)/")
            },
            logger: logger)
        try await application.run()
    }

    private func respond(to request: Request) async throws -> Response {
        let target = request.head.path ?? ""
        guard target.hasPrefix("/\(token)/") else { return Response(status: .notFound) }
        let authority = request.head.authority ?? ""
        let host = authority.prefix { $0 != ":" }
        let origin = request.headers[.origin]
        guard host == "127.0.0.1" || host == "localhost", origin == nil || origin == "http://\(authority)" else {
            return Response(status: .forbidden)
        }
        guard let form = try? await request.body.collect(upTo: Self.formLimit) else {
            return Response(status: .contentTooLarge)
        }
        let answer = await sheet.answer(request.method.rawValue, target, form: Array(form.readableBytesView))
        switch answer {
        case .page(let status, let html):
            let headers: HTTPFields = [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: "frame-ancestors 'none'",
            ]
            let body = request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: html))
            return Response(status: HTTPResponse.Status(code: status), headers: headers, body: body)
        case .redirect(let reference):
            return Response(status: .seeOther, headers: [.location: reference])
        }
    }
}
