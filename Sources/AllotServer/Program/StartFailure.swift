import AllotFiles
import NIOCore

package struct StartFailure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }

    /// The failure of a server that cannot listen on an address; another error stays as it is.
    static func listening(on address: String, _ error: any Error) -> any Error {
        let fix: String
        switch error {
        case let unknown as SocketAddressError.UnknownHost:
            let reason = unknown.errorDescription
            return Self("cannot listen on \(address) (\(reason)); use a name or an address of this machine")
        case let error as IOError where error.errnoCode == EMFILE:
            fix = "raise the limit of open files (ulimit -n, LimitNOFILE=)"
        case let error as IOError where error.errnoCode == ENFILE:
            fix = "raise the system's limit of open files (fs.file-max), or end programs that have many open"
        case is IOError: fix = "stop the program that listens there, or use another name or port"
        default: return error
        }
        return Self("cannot listen on \(address) (\(error)); \(fix)")
    }
}
