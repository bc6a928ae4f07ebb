import Foundation
import Testing

/// Expects a number to ten digits.
func expectClose(
    _ actual: Double, _ expected: Double, within relative: Double = 1e-10,
    at location: SourceLocation = #_sourceLocation
) {
    let difference = abs(actual - expected)
    #expect(
        difference <= abs(expected) * relative || actual == expected, "\(actual) is not \(expected)",
        sourceLocation: location)
}

/// Expects the logarithm of a tail so that the tail itself has ten digits, or as many as the logarithm leaves to it.
func expectTail(_ actual: Double, _ expected: Double, at location: SourceLocation = #_sourceLocation) {
    let difference = abs(actual - expected)
    let allowed = max(min(1, abs(expected)) * 1e-10, abs(expected) * 1e-14)
    #expect(difference <= allowed, "\(actual) is not \(expected)", sourceLocation: location)
}

/// The natural logarithm.
func logarithm(_ value: Double) -> Double {
    log(value)
}
