import AllotConfiguration

/// Recognises definitions among what a folder's loading does not read: files with another ending, and sub-folders.
/// Hidden files, backup files of editors and folders that are definitions of their own are left alone.
enum Lookalike {
    static let headLength = 4096

    static let folderLimit = 100

    /// The warning about a file that is not read; `nil` if it does not look like a definition.
    static func problem(ofFile name: String, head: [UInt8], among names: Set<String>) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let ending = parts.last, !name.hasSuffix("~"), !name.hasPrefix("#") else { return nil }
        if parts.count > 1, DefinitionsFolder.endings.contains(ending.lowercased()) {
            return "the file is not read, as its ending is not in lower case; rename it if it is a definition"
        }
        let isEnded = parts.count > 2 && DefinitionsFolder.endings.contains(parts[parts.count - 2].lowercased())
        let meant = isEnded ? parts.dropLast().joined(separator: ".") : "\(parts[0]).yaml"
        let isCopy = isEnded && backupEndings.contains(ending.lowercased()) && names.contains(meant)
        let isNamedAlike = isEnded && (ending == "txt" || backupEndings.contains(ending.lowercased()))
        guard !isCopy, isNamedAlike || isDefinition(head) else { return nil }
        return "the file is not read, as its name does not end in .yaml, .yml or .json; rename it to \(meant) if it is "
            + "a definition"
    }

    /// The warning about a sub-folder; `nil` if nothing in it looks like a definition, or if it has a base of its own.
    static func problem(ofFolder name: String, files: [(name: String, head: [UInt8])]) -> String? {
        guard name != DefinitionsLoader.testFolder,
            !files.contains(where: { DefinitionsFolder.stem(of: $0.name) == "base" }),
            let file = files.first(where: { isDefinition($0.head) })
        else { return nil }
        return "sub-folders are not read, and \(name)/\(file.name) looks like an experiment; move it one folder up"
    }

    private static let backupEndings: Set<String> = ["bak", "backup", "old", "orig", "save", "swp", "tmp"]

    /// Whether a file that begins with these bytes is an experiment or a base.
    private static func isDefinition(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head, as: UTF8.self)
        if text.first(where: { !$0.isWhitespace }) == "{" {
            return ["\"status\"", "\"variants\""].allSatisfy(text.contains) && !text.contains("\"$schema\"")
        }
        var keys: Set<Substring> = []
        for line in text.split(whereSeparator: \.isNewline).dropLast(head.count < headLength ? 0 : 1) {
            guard let first = line.first, !" \t#-]}".contains(first) else { continue }
            guard let colon = line.firstIndex(of: ":") else { return false }
            keys.insert(line[..<colon])
        }
        return keys.contains("config_sections")
            || (keys.isSuperset(of: ["status", "variants"])
                && keys.isSubset(of: ExperimentReading.keys.map { $0[...] }))
    }
}
