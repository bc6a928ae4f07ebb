/// Why a sequential test cannot begin.
public enum SequentialRatioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The shares are none.
    case shares(SharesError)
    /// The concentration is not a finite number above 0.
    case invalidConcentration(Double)

    /// What is wrong, and how to mend it.
    public var description: String {
        switch self {
        case .shares(let error): error.description
        case .invalidConcentration(let value):
            "the concentration is \(value); it is a finite number above 0, such as 100"
        }
    }
}
