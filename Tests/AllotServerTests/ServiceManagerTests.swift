import AllotFiles
import Foundation
import Logging
import TestSupport
import Testing

@testable import AllotServer

/// The reports of the server to systemd, or to another manager that speaks sd_notify(3).
@Suite(.runsServer) struct ServiceManagerTests {
    private static func manager(_ name: String?, _ log: LogRecord) -> ServiceManager? {
        ServiceManager(
            environment: name.map { ["NOTIFY_SOCKET": $0] } ?? [:], address: "127.0.0.1:8080",
            logger: Logger(label: "manager", factory: { _ in log }))
    }

    @Test(
        "Each state is one datagram of assignments",
        arguments: [
            (ServiceManager.State.ready, "READY=1\nSTATUS=as usual"),
            (.reloading(since: 1_234_567), "RELOADING=1\nMONOTONIC_USEC=1234567\nSTATUS=as usual"),
            (.stopping, "STOPPING=1\nSTATUS=as usual"),
        ] as [(ServiceManager.State, String)])
    func states(state: ServiceManager.State, message: String) throws {
        let folder = try TemporaryFolder()
        // A name in the file system and, with "@", an abstract one.
        for name in [folder.path("notify"), "@allot-\(UUID().uuidString)"] {
            let socket = try NotificationSocket(name)
            let log = LogRecord(.trace)
            try #require(Self.manager(name, log)).report(state, "as usual")
            #expect(try socket.message() == message)
            #expect(log.lines == [])
        }
    }

    @Test("Without a service manager there is nothing to report", arguments: [nil, ""] as [String?])
    func absence(name: String?) {
        let isAbsent = Self.manager(name, LogRecord(.trace)) == nil
        #expect(isAbsent)
    }

    @Test(
        "A service manager that cannot be reached is logged",
        arguments: [
            ("/nowhere/notify", "No such file or directory"), ("@without-a-listener", "Connection refused"),
            ("relative", "Address family not supported by protocol"),
            ("vsock:2:1234", "Address family not supported by protocol"),
            ("/" + String(repeating: "x", count: 107), "File name too long"),
            ("@" + String(repeating: "x", count: 108), "File name too long"),
        ])
    func unreachable(name: String, reason: String) throws {
        let log = LogRecord(.trace)
        try #require(Self.manager(name, log)).report(.ready, "as usual")
        #expect(log.levels(of: reason) == [.warning], "\(log.lines)")
    }

    /// It is not waited for: a server whose manager has stopped reading has to end all the same.
    @Test("A service manager that reads nothing does not stop the server")
    func fullSocket() throws {
        let socket = try NotificationSocket("@allot-\(UUID().uuidString)")
        let log = LogRecord(.trace)
        let manager = try #require(Self.manager(socket.name, log))
        // More than any system keeps for a socket.
        for _ in 0..<100_000 where log.lines.isEmpty { manager.report(.ready, String(repeating: "x", count: 4000)) }
        #expect(log.levels(of: "Resource temporarily unavailable") == [.warning])
    }

    @Test("Once the end has begun, nothing else is reported")
    func nothingAfterTheEnd() throws {
        let socket = try NotificationSocket("@allot-\(UUID().uuidString)")
        let manager = try #require(Self.manager(socket.name, LogRecord(.trace)))
        manager.report(.stopping, "draining")
        manager.report(.reloading(since: 1), "too late")
        manager.report(.ready, "too late")
        manager.report(.stopping, "ending")
        #expect(try socket.message() == "STOPPING=1\nSTATUS=draining")
        #expect(try socket.message() == "STOPPING=1\nSTATUS=ending")
    }

    @Test("A server reports that it listens, that it reads its files again, that it drains, and that it ends")
    func server() throws {
        let folder = try ServerFolder()
        let socket = try NotificationSocket(folder.path("notify"))
        let server = try RunningServer(
            folder.arguments, environment: ["NOTIFY_SOCKET": socket.name, "ALLOT_DRAIN": "600s"])
        #expect(try socket.message() == "READY=1\nSTATUS=Listening on 127.0.0.1:0")
        #expect(try server.get("/health/ready").status == 200)

        let time = SystemClock.monotonicMicroseconds
        server.signal(SIGHUP)
        let reloading = try socket.message()
        let since = try #require(reloading.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=(\d+)\nSTATUS=.*/)?.1)
        #expect(try #require(Int64(since)) >= time)
        #expect(try socket.message().hasPrefix("READY=1\n"))
        try server.waitForLine("definitions unchanged")

        server.signal(SIGTERM)
        #expect(try socket.message() == "STOPPING=1\nSTATUS=Draining for 600.0 seconds")
        server.signal(SIGTERM)
        #expect(try socket.message() == "STOPPING=1\nSTATUS=Answering the requests in progress")
        #expect(try server.waitForEnd() == 0)
    }
}
