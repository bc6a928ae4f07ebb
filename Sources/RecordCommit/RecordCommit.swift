import Foundation
import PackagePlugin

/// Writes the commit that the package is built from into a source file, and again when another one is checked out.
///
/// (A manifest could ask for it as well, but what it finds is kept until the manifest itself changes.)
@main
struct RecordCommit: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        guard let log = Self.log(of: context.package.directoryURL) else { return [] }
        let source = context.pluginWorkDirectoryURL.appending(path: "Commit.swift")
        // Each line of the log: the commit before, the commit after, who, when and why.
        let script = #"""
            commit=$(tail -n 1 "$0" | cut -d " " -f 2 | grep -E "^[0-9a-f]{40,64}$" | cut -c 1-7)
            [ -n "$commit" ] && value="\"$commit\"" || value=nil
            echo "extension ProgramVersion { static var commit: String? { $value } }" >"$1"
            """#
        return [
            .buildCommand(
                displayName: "Recording the commit", executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", script, log.path(percentEncoded: false), source.path(percentEncoded: false)],
                inputFiles: [log], outputFiles: [source])
        ]
    }

    /// The file to which Git adds a line whenever another commit is checked out; `nil` without a repository.
    private static func log(of package: URL) -> URL? {
        var repository = package.appending(path: ".git")
        // A worktree or a submodule has a file there, which names the folder.
        if let text = try? String(contentsOf: repository, encoding: .utf8), text.hasPrefix("gitdir: ") {
            let path = text.dropFirst("gitdir: ".count).trimmingCharacters(in: .newlines)
            repository = URL(filePath: path, relativeTo: package)
        }
        let log = repository.appending(path: "logs/HEAD")
        return FileManager.default.isReadableFile(atPath: log.path(percentEncoded: false)) ? log : nil
    }
}
