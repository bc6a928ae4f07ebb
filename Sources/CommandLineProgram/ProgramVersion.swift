import AllotConfiguration

/// The version that programs report.
package enum ProgramVersion: RecordedCommit {
    /// `allot 0.1.0 (9cd0d39)`: the version, and the commit of the build.
    package static func text(of program: String) -> String {
        "\(program) \(AllotVersion.number) (\(commit ?? "built without Git: the commit is not known"))"
    }
}

/// The commit of a program's build. Where there is a Git repository, the plugin `RecordCommit` adds a member to
/// ``ProgramVersion`` that takes precedence.
protocol RecordedCommit {}

extension RecordedCommit {
    static var commit: String? { nil }
}
