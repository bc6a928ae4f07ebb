/// Why shares cannot be expected of categories.
public enum SharesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A share is negative, NaN or infinite.
    case invalid(index: Int, share: Double)
    /// Fewer than two categories have a share above 0: whatever is counted, nothing can be learnt.
    case tooFew(count: Int)

    /// What is wrong, and how to mend it.
    public var description: String {
        switch self {
        case .invalid(let index, let share):
            "share \(index + 1) is \(share); a share is a finite number of 0 or more"
        case .tooFew(let count):
            "\(count == 1 ? "1 category has" : "\(count) categories have") a share above 0; give two or more one"
        }
    }
}
