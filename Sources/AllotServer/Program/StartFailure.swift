import AllotFiles
import NIOCore

/// The reason for which the server does not start.
package struct StartFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// The server cannot listen on an address.
    init(_ error: IOError, listeningOn address: String) {
        let fix =
            switch error.errnoCode {
            case EMFILE: "raise the limit of open files (ulimit -n, LimitNOFILE=)"
            case ENFILE: "raise the system's limit of open files (fs.file-max), or end programs that have many open"
            default: "stop the program that listens there, or use another name or port"
            }
        self.init("cannot listen on \(address) (\(error)); \(fix)")
    }

    /// The server cannot listen on an address whose name is not known.
    init(_ error: SocketAddressError.UnknownHost, listeningOn address: String) {
        self.init(
            "cannot listen on \(address) (\(error.errorDescription)); use a name or an address of this machine")
    }
}
