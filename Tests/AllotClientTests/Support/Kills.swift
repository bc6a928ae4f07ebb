import Foundation

/// How often tests kill a process: about 10 times, unless the environment's `ALLOT_KILLS` says otherwise.
enum Kills {
    static let count = ProcessInfo.processInfo.environment["ALLOT_KILLS"].flatMap(Int.init) ?? 10
}
