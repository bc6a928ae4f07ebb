import Foundation
import TestSupport
import Testing

/// A PostgreSQL server that waits for the disk, in a folder that is removed with its owner.
final class PostgreSQLTestCluster {
    private let folder: TemporaryFolder
    /// `host=… user=… dbname=…`
    private(set) var connection = ""

    /// Creates and starts a server.
    init() throws {
        folder = try TemporaryFolder()
        try start()
    }

    deinit {
        _ = try? script("stop")
    }

    /// Starts the server again after it was killed or stopped.
    func start() throws {
        connection = try script("start").text.trimmingCharacters(in: .newlines)
    }

    func stop() throws {
        _ = try script("stop")
    }

    /// Kills the server and all its processes.
    func kill() throws {
        let server = try identifier()
        let children = Self.children(of: server)
        for process in [server] + children { Foundation.kill(process, SIGKILL) }
    }

    /// Kills one process that serves a client, upon which the server ends the others and recovers.
    ///
    /// - Returns: whether there was one.
    func killOneBackend(_ random: inout SeededGenerator) throws -> Bool {
        let backends = Self.children(of: try identifier()).filter { process in
            let command = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
            return command?.hasPrefix("postgres: allot allot") ?? false
        }
        guard let backend = backends.sorted().randomElement(using: &random) else { return false }
        Foundation.kill(backend, SIGKILL)
        return true
    }

    private func identifier() throws -> pid_t {
        let file = folder.url.appending(path: "data/postmaster.pid")
        let first = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").first
        return try #require(first.flatMap { pid_t($0) })
    }

    private static func children(of parent: pid_t) -> [pid_t] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { pid_t($0) }.filter { process in
            // The name, in parentheses, may contain spaces; then come the state and the parent.
            let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return status?.split(separator: ")").last?.split(separator: " ").dropFirst().first == "\(parent)"
        }
    }

    @discardableResult
    private func script(_ command: String) throws -> Outcome {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../AllotSQLTests/Engines/postgresql.sh").standardizedFileURL
        let outcome = try Outcome(of: file, [command, folder.url.path, "durable"])
        guard outcome.status == 0 else { throw Failure(description: outcome.errors) }
        return outcome
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
