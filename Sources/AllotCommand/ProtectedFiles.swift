import AllotConfiguration
import AllotDefinitions
import AllotFiles
import AllotGit

/// The files that no output of a command may be: its inputs, and definitions.
enum ProtectedFiles {
    private static let mainOptions = ["-o", "--output"]
    private static let options = mainOptions + ["--rejects", "--cursor-file"]

    /// Throws if an output on a command line is an input on it, or is or would become a file of definitions or of their
    /// tests.
    static func check(_ arguments: [String]) throws {
        var outputs: [(option: String, path: String)] = []
        // Standard input may be one of them.
        var inputs = ["-"]
        var words = arguments[...]
        while let word = words.popFirst() {
            if word == "--" {
                inputs += words
                break
            }
            let pair = word.hasPrefix("--") ? word.namedValue : nil
            if options.contains(word), let path = words.popFirst() {
                outputs.append((word, path))
            } else if let pair, options.contains(pair.name) {
                outputs.append((pair.name, pair.value))
            } else {
                let value = pair?.value ?? word
                inputs.append(value.hasPrefix("@") ? String(value.dropFirst()) : value)
            }
        }
        if !outputs.contains(where: { mainOptions.contains($0.option) }) { outputs.append(("-o", "-")) }
        let folder = DefinitionsCompletion.folder(in: arguments)
        for (option, path) in outputs {
            guard let output = FileIdentity(output: path) else { continue }
            if case .existing = output {
                for input in inputs {
                    try FileIdentity.check(output: path, option: option, isNot: FileIdentity(input: input))
                }
            }
            for folder in folders(of: path, folder) { try check(path, output, option, in: folder) }
        }
    }

    /// The folders of definitions that can have an output: the one that the command reads, and whichever has a base.
    private static func folders(of path: String, _ named: String) -> [String] {
        var folders: [String] = []
        if case .folder(let folder)? = try? DefinitionsPlace(named) { folders.append(folder) }
        guard path != "-" else { return folders }
        let own = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "./"
        return folders + [own, own + ".."].filter(hasBase)
    }

    /// Whether a folder has a base, as every folder of definitions has.
    static func hasBase(_ folder: String) -> Bool {
        DurableFolder(path: folder).names().contains { $0.hasPrefix("base.") && DefinitionsFolder.reads($0) }
    }

    private static func check(_ path: String, _ output: FileIdentity, _ option: String, in folder: String) throws {
        let new: [String] = if case .new(_, _, let name) = output { [name] } else { [] }
        for folder in [folder, "\(folder)/\(DefinitionsLoader.testFolder)"].map(DurableFolder.init(path:)) {
            for name in folder.names() + new where DefinitionsFolder.reads(name) {
                let file = FileIdentity(path: folder.path(of: name))
                try FileIdentity.check(output: path, option: option, isNot: file, "a file of the definitions")
            }
        }
    }
}
