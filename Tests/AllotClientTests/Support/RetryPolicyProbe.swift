@testable import AllotClient

/// The waits of the usual policy, in seconds.
struct RetryPolicyProbe {
    func delays(random: Double) -> [Double] {
        (1...8).map { RetryPolicy().delay(afterFailures: $0, random: random) }
    }
}
