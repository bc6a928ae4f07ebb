import AllotConfiguration

/// The owners of experiments as GitHub's CODEOWNERS has them: whose review a change of an experiment's file needs. They
/// are a block of lines between two comments; the rest of a CODEOWNERS file stays as it is.
package struct CodeOwners: Sendable {
    package let block: String
    package let notes: [String]
    private static let beginning = "# allot owners: begin"
    private static let begin = "\(beginning) (written by allot owners; edit the owners in the definitions)"
    private static let end = "# allot owners: end"

    /// Owners that CODEOWNERS cannot express, each with its place.
    package struct Invalid: Error, CustomStringConvertible {
        package let problems: [DefinitionProblem]

        package var description: String { "\(counted(problems.count, "owner")) cannot be written into CODEOWNERS" }
    }

    /// Takes the owners of all experiments and the path of the definitions from the top of the repository, empty for
    /// the top. Throws ``Invalid`` with each owner that is neither an account or a team of GitHub nor a mail address,
    /// or a problem of the folder's name.
    package init(_ owners: [DefinitionOwner], folder: String) throws(Invalid) {
        var problems: [DefinitionProblem] = []
        var lines: [String] = []
        let unknown = folder.unicodeScalars.first { "[]#!".unicodeScalars.contains($0) || $0.value < 0x20 }
        if let unknown {
            let name = QuotedText(String(unknown))
            problems.append(
                DefinitionProblem(
                    file: folder, "the folder's name holds \(name), which CODEOWNERS cannot express; rename it"))
        }
        for owner in owners {
            guard let text = owner.owner else { continue }
            let names = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
            let isValid = !names.isEmpty && names.allSatisfy(Self.isOwner)
            if !isValid {
                let message =
                    "the owner \(QuotedText(text)) is not valid in CODEOWNERS; write @user, @org/team or a mail "
                    + "address, or several of them with spaces between"
                problems.append(
                    DefinitionProblem(
                        severity: .error, file: owner.file, position: owner.position, message: message, path: "owner"))
            }
            let file = owner.file.split(separator: "/").last.map(String.init) ?? owner.file
            let path = (folder.isEmpty ? "" : "/" + Self.escaped(folder)) + "/" + file
            lines.append("\(path) \(names.joined(separator: " "))")
        }
        guard problems.isEmpty else { throw Invalid(problems: problems) }
        let missing = owners.filter { $0.owner == nil }.map(\.experiment)
        notes =
            missing.isEmpty
            ? [] : ["\(counted(missing.count, "experiment")) without an owner: \(missing.joined(separator: ", "))"]
        block = ([Self.begin] + lines + [Self.end]).joined(separator: "\n") + "\n"
    }

    /// A file with comments that are not those of one block.
    package struct UnclearFile: Error, CustomStringConvertible { package let description: String }

    /// A file with its block replaced by this one. A file without a block gets it at its end, where it wins over
    /// patterns before it.
    package func updating(_ file: String, path: String) throws(UnclearFile) -> String {
        // Lines may end in a carriage return too, which is one character with the line feed.
        let lines = file.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        let marks = lines.indices.filter { lines[$0].hasPrefix(Self.beginning) || lines[$0].hasPrefix(Self.end) }
        if marks.count == 2, lines[marks[0]].hasPrefix(Self.beginning), lines[marks[1]].hasPrefix(Self.end) {
            let after = lines[(marks[1] + 1)...].joined(separator: "\n")
            return lines[..<marks[0]].map { $0 + "\n" }.joined() + block + after
        }
        guard marks.isEmpty else {
            let numbers = marks.map { String($0 + 1) }.joined(separator: ", ")
            throw UnclearFile(
                description: "\(path) has comments of allot owners at \(marks.count == 1 ? "line" : "lines") "
                    + "\(numbers), and not one \"begin\" before one \"end\"; remove them and the lines of old blocks")
        }
        return file + (file.isEmpty || file.hasSuffix("\n") ? "" : "\n") + (file.isEmpty ? "" : "\n") + block
    }

    private static func escaped(_ path: String) -> String {
        path.unicodeScalars.reduce(into: "") { result, scalar in
            if " *?\\".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }

    private static func isOwner(_ text: String) -> Bool {
        func isName(_ text: Substring, _ more: String) -> Bool {
            text.utf8.first?.isLetterOrDigit ?? false
                && text.utf8.allSatisfy { $0.isLetterOrDigit || more.utf8.contains($0) }
        }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        guard parts[0].isEmpty else {
            return parts[0].utf8.allSatisfy { $0.isLetterOrDigit || "!$%&'*+-/=?^_`{|}~.".utf8.contains($0) }
                && isName(parts[1], ".-")
        }
        let names = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        return (1...2).contains(names.count) && isName(names[0], "-_") && (names.count == 1 || isName(names[1], "-_."))
    }
}

package struct DefinitionOwner: Sendable {
    package let experiment: String
    let file: String
    /// The text of `owner`; `nil` if the file has none.
    let owner: String?
    let position: SourcePosition?

    init(_ experiment: ExperimentFile) {
        self.experiment = experiment.definition.key
        file = experiment.file
        owner = experiment.definition.owner
        position = experiment.places.owner?.position
    }
}
