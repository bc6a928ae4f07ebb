/// Why a statement failed: the server's error, or a lost connection.
struct PostgreSQLError: Error {
    /// The code by SQL's standard; empty if there was no answer.
    let code: String
    /// What is wrong, on one line.
    let message: String
    /// Whether the connection cannot be used any more.
    let isConnectionLost: Bool
    /// Whether this process has stopped waiting for the answer.
    let isBrokenOff: Bool

    init(code: String, message: String, isConnectionLost: Bool, isBrokenOff: Bool = false) {
        self.code = code
        self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        self.isConnectionLost = isConnectionLost
        self.isBrokenOff = isBrokenOff
    }

    /// The store is being closed.
    static let brokenOff = Self(code: "", message: "it is broken off", isConnectionLost: true, isBrokenOff: true)

    /// The table `store` has lost its row.
    static let emptyStore = Self(code: "42P01", message: "the table \"store\" is empty", isConnectionLost: false)

    /// Whether the same may succeed a little later: a server that restarts or fails over, and what another transaction
    /// prevented.
    var isPassing: Bool {
        (isConnectionLost && !isBrokenOff) || code.hasPrefix("40") || code == "23505"
    }

    /// What is wrong and the fix.
    var explanation: String {
        "\(message); \(fix)"
    }

    private var fix: String {
        switch code {
        case "25006": "it accepts no changes: name the primary server, or all with target_session_attrs=read-write"
        case "42501": "grant the user the right, or let its owner create the schema"
        case "42P01", "3F000", "42703", "26000": "restore the store's tables, or restart the servers, which create them"
        case "53100": "make room on its disk"
        case "53300": "raise its max_connections"
        case "55P03", "57014": "it took too long: look for what holds a lock, or what keeps it busy"
        case _ where isConnectionLost: "check that PostgreSQL runs, the address, the user and the password"
        default: "see PostgreSQL's log"
        }
    }
}
