import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport

/// Chromium without a window, which ends with its owner.
final class Browser {
    /// The executable: the environment's `ALLOT_CHROMIUM`, or `chromium` in a folder of `PATH`. `nil` if there is none.
    static let executable: URL? = {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["ALLOT_CHROMIUM"] { return URL(filePath: path) }
        return (environment["PATH"] ?? "").split(separator: ":").map { URL(filePath: "\($0)/chromium") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// A Python with the packages of `Pages/requirements.txt`; `nil` if there is none.
    static let python = ProcessInfo.processInfo.environment["ALLOT_BROWSER_PYTHON"]

    private let program: RunningProgram
    private let profile: TemporaryFolder

    /// Opens a page. All names of hosts that end in ".example" are those of this machine.
    init(_ executable: URL, page: String) throws {
        profile = try TemporaryFolder()
        program = try RunningProgram(
            executable,
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--no-proxy-server", "--disable-background-networking", "--disable-component-update",
                "--host-resolver-rules=MAP *.example 127.0.0.1", "--user-data-dir=\(profile.path)", page,
            ],
            errors: FileHandle.nullDevice)
    }

    deinit {
        // Its other processes end with it, and before its folder is removed.
        program.signal(SIGTERM)
        _ = program.waitForEnd(within: .seconds(10))
    }
}

/// A server of pages that are not of Allot's origin, and what its pages report.
struct PageServer {
    /// The port that it listens on.
    let port: Int
    private let reports: AsyncStream<(name: String, result: String)>

    private struct Report: Decodable {
        let name: String
        let result: String
    }

    /// Serves `page.html` at `/` while the body runs.
    static func run(_ body: @Sendable (PageServer) async throws -> Void) async throws {
        let (reports, continuation) = AsyncStream.makeStream(of: (name: String, result: String).self)
        let page = try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "page.html"))
        let router = Router()
        router.get { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/html"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: Array(page))))
        }
        router.post("report") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 16)
            let report = try JSONDecoder().decode(Report.self, from: Data(body.readableBytesView))
            continuation.yield((report.name, report.result))
            return HTTPResponse.Status.noContent
        }
        try await Application(router: router).test(.live) { client async throws in
            try await body(PageServer(port: client.port ?? 0, reports: reports))
        }
    }

    /// The address of the page on a host, for a server that listens on another port.
    func page(_ host: String, server: UInt16, token: String? = nil) -> String {
        "http://\(host):\(port)/?server=http://127.0.0.1:\(server)" + (token.map { "&token=\($0)" } ?? "")
    }

    /// Reads reports up to the first of a name; returns all of them.
    func reports(until name: String) async -> [String: String] {
        var found: [String: String] = [:]
        for await report in reports {
            found[report.name] = report.result
            if report.name == name { break }
        }
        return found
    }
}
