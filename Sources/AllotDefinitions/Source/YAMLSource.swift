import Yams

/// Reads one YAML file as a tree of positioned nodes, strictly: what could be read in two ways is an error.
///
/// Of YAML's schema only JSON's literals are left (`NO`, `on`, `0x10` and `2026-11-21` are text); anchors, aliases,
/// merge keys, tags, further documents, lists or maps as keys, keys written twice, characters that cannot be seen and
/// deep nesting are errors.
package enum YAMLSource {
    /// Parses a file and collects every problem of its syntax.
    ///
    /// - Parameters:
    ///   - bytes: The file as it is on disk.
    ///   - file: The file as problems should show it.
    ///   - maximumBytes: The size up to which a file is read.
    /// - Returns: The tree, and the problems in the order of their positions, all errors. There is a tree if all that
    ///   was written is in it; of a key that is there twice it has the first. Without a tree there is at least one
    ///   problem. After an error of syntax (a bracket that is not closed, say) only what stands in front of it is known.
    ///
    /// Complexity: O(size of the file), with recursion at most a few hundred calls deep.
    package static func parse(
        bytes: [UInt8], file: String, maximumBytes: Int = SourceText.maximumBytes
    ) -> (root: SourceNode?, problems: [DefinitionProblem]) {
        var problems = ProblemList(file: file)
        guard let text = SourceText(bytes, maximumBytes: maximumBytes, problems: &problems),
            YAMLCharacters.check(text, problems: &problems)
        else { return (nil, problems.problems) }
        let outline = YAMLOutline(text, file: file)
        guard !outline.isRefused else { return (nil, outline.problems.problems.sorted()) }
        return parse(text, outline)
    }

    private static func parse(
        _ text: SourceText, _ outline: YAMLOutline
    ) -> (root: SourceNode?, problems: [DefinitionProblem]) {
        var marks: YAMLKeyMarks?
        do {
            let bytes = replacingAliases(of: outline, in: text.bytes)
            let root: Node?
            do {
                root = try compose(bytes, outline)
            } catch YamlError.duplicatedKeysInMapping {
                let keyMarks = YAMLKeyMarks(outline)
                marks = keyMarks
                root = try compose(keyMarks.marking(bytes), outline)
            }
            guard let root, !isEmpty(root) else { return (nil, problemsOfEmptyFile(outline)) }
            var conversion = YAMLConversion(outline, marks: marks)
            let node = conversion.convert(root)
            return (conversion.isComplete ? node : nil, conversion.problems.problems.sorted())
        } catch {
            return (nil, problems(of: YAMLFailure(error, in: text, marks: marks), outline, in: text))
        }
    }

    private static func problemsOfEmptyFile(_ outline: YAMLOutline) -> [DefinitionProblem] {
        var problems = outline.problems
        if !outline.hasSecondDocument {
            problems.addError("the file is empty; write the definition, or remove the file", at: nil)
        }
        return problems.problems.sorted()
    }

    /// The failure, and what the outline knows of the text in front of it.
    private static func problems(
        of failure: YAMLFailure, _ outline: YAMLOutline, in text: SourceText
    ) -> [DefinitionProblem] {
        var problems = outline.problems
        if let stop = failure.stop {
            problems.removeAll(from: stop)
            // Text that starts with * and goes on behind a space: the alias is reported, the rest is its consequence.
            if text.lastToken(before: stop)?.kind == .alias { return problems.problems.sorted() }
        }
        if !problems.problems.contains(where: { $0.position == failure.position }) {
            problems.addError(failure.message, at: failure.position)
        }
        return problems.problems.sorted()
    }

    /// The text with quoted text of the same length in place of aliases, so that Yams finds all other problems.
    ///
    /// Quoted, because then the text behind it is cut into the same tokens as behind an alias: what the outline knows
    /// of the text stays true, and no alias is left.
    private static func replacingAliases(of outline: YAMLOutline, in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for alias in outline.aliases {
            bytes[alias.start] = UInt8(ascii: "\"")
            bytes[alias.end - 1] = UInt8(ascii: "\"")
        }
        return bytes
    }

    /// The tree of the first document, or nil if there is no document.
    ///
    /// The basic resolver matches no regular expressions, and the encoding is given because Yams would look for it in
    /// the environment and print what it found.
    private static func compose(_ bytes: [UInt8], _ outline: YAMLOutline) throws -> Node? {
        let parser = try Parser(yaml: String(decoding: bytes, as: UTF8.self), resolver: .basic, encoding: .utf8)
        let root = try parser.nextRoot()
        if !outline.hasSecondDocument { _ = try parser.nextRoot() }
        return root
    }

    /// Whether a document holds nothing, as between `---` and the end of the file.
    private static func isEmpty(_ root: Node) -> Bool {
        guard let scalar = root.scalar else { return false }
        return scalar.style == .plain && scalar.string.isEmpty
    }
}
