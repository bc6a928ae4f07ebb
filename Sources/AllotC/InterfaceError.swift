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

    static func argument(_ message: String) -> InterfaceError { InterfaceError(ALLOT_INVALID_ARGUMENT, message) }
    static func missing(_ name: String) -> InterfaceError { argument("\(name) is NULL") }
    /// Definitions with errors: the report that `allot check` gives.
    static func definitions(_ report: String) -> InterfaceError { InterfaceError(ALLOT_INVALID_DEFINITIONS, report) }
    static func data(_ message: String) -> InterfaceError { InterfaceError(ALLOT_INVALID_DATA, message) }

    /// A stream that cannot be read, with the number that its producer gives.
    static func input(_ message: String, number: Int32) -> InterfaceError {
        InterfaceError(ALLOT_INVALID_DATA, "the input cannot be read: \(message)", number: number)
    }

    init(_ error: any Error) {
        switch error {
        case let error as InterfaceError: self = error
        case is FileError, DefinitionsError.folder, DefinitionsError.changing: self.init(ALLOT_FILE_ERROR, "\(error)")
        case is BatchError: self.init(ALLOT_INVALID_DATA, "\(error)")
        default: self.init(ALLOT_INVALID_ARGUMENT, "\(error)")
        }
    }
}

/// Where a function puts a text for the caller.
public typealias OutputText = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

extension String {
    /// A copy that C code releases with `allot_text_release`. A zero byte, which ends a text in C, becomes U+FFFD.
    func copyForC() -> UnsafeMutablePointer<CChar> {
        let bytes = utf8.contains(0) ? Array(String(map { $0 == "\0" ? "\u{FFFD}" : $0 }).utf8) : Array(utf8)
        return (bytes + [0]).copyForC()
    }
}

extension [UInt8] {
    /// A copy in memory that the caller deallocates.
    func copyForC() -> UnsafeMutablePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: count)
        for (index, byte) in enumerated() { (copy + index).initialize(to: CChar(bitPattern: byte)) }
        return copy
    }
}

/// Runs the body of a function: what it throws becomes a status, and a text in `message`.
func status(_ message: OutputText?, _ body: () throws -> Void) -> allot_status {
    do {
        try body()
        return allot_status(ALLOT_OK)
    } catch {
        let failure = InterfaceError(error)
        message?.pointee = failure.message.copyForC()
        return allot_status(failure.status)
    }
}

/// Runs the body of a function whose only output is a text.
func status(_ output: OutputText?, _ message: OutputText?, _ body: () throws -> String) -> allot_status {
    status(message) {
        guard let output else { throw InterfaceError.missing("the output") }
        output.pointee = try body().copyForC()
    }
}

func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> String {
    guard let pointer else { throw InterfaceError.missing(name) }
    guard let text = String(validatingCString: pointer) else {
        throw InterfaceError.argument("\(name) is not UTF-8; convert it")
    }
    return text
}
