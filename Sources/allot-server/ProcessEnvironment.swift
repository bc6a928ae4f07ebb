import Foundation

/// The environment of the process.
enum ProcessEnvironment {
    static var variables: [String: String] {
        ProcessInfo.processInfo.environment
    }
}
