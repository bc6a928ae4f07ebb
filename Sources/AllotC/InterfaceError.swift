import AllotBatch
import AllotDefinitions
import AllotFiles
import CAllot

/// The failure of a function of the interface: its status, and the message for people.
struct InterfaceError: Error {
    let status: Int
    let message: String
    /// The error number of a stream that fails with it.
    let number: Int32

    private init(_ status: Int, _ message: String, number: Int32 = EINVAL) {
        (self.status, self.message, self.number) = (status, message, number)
    }

    /// An argument that cannot be used.
    static func argument(_ message: String) -> InterfaceError { InterfaceError(ALLOT_INVALID_ARGUMENT, message) }

    /// A pointer that must not be null.
    static func missing(_ name: String) -> InterfaceError { argument("\(name) is NULL") }

    /// Definitions with errors: the report that `allot check` gives.
    static func definitions(_ report: String) -> InterfaceError { InterfaceError(ALLOT_INVALID_DEFINITIONS, report) }

    /// Arrow data that cannot be assigned.
    static func data(_ message: String) -> InterfaceError { InterfaceError(ALLOT_INVALID_DATA, message) }

    /// A stream that cannot be read, with the number that its producer gives.
    static func input(_ message: String, number: Int32) -> InterfaceError {
        InterfaceError(ALLOT_INVALID_DATA, "the input cannot be read: \(message)", number: number)
    }

    init(_ error: any Error) {
        switch error {
        case let error as InterfaceError: self = error
        case is FileError, DefinitionsError.folder, DefinitionsError.changing:
            self.init(ALLOT_FILE_ERROR, "\(error)")
        case is BatchError: self.init(ALLOT_INVALID_DATA, "\(error)")
        default: self.init(ALLOT_INVALID_ARGUMENT, "\(error)")
        }
    }
}
