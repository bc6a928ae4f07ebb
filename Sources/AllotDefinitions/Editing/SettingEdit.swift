import AllotConfiguration
import AllotCore

/// The base with another value of one setting, in memory, and the problems that the loader reports.
package struct SettingEdit: Sendable {
    package let path: String
    package let oldText: String
    package let newText: String
    package let loaded: LoadedDefinitions?
    /// The errors and warnings that the current definitions do not have.
    package let problems: [DefinitionProblem]

    /// The lines that change, with their numbers from 1.
    package var changedLines: (old: [(number: Int, text: String)], new: [(number: Int, text: String)]) {
        func lines(_ text: String) -> [Substring] {
            text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        }
        let (old, new) = (lines(oldText), lines(newText))
        let first = zip(old, new).prefix { $0 == $1 }.count
        let last = zip(old.dropFirst(first).reversed(), new.dropFirst(first).reversed()).prefix { $0 == $1 }.count
        func part(_ lines: [Substring]) -> [(number: Int, text: String)] {
            (first..<max(first, lines.count - last)).map { ($0 + 1, String(lines[$0])) }
        }
        return (part(old), part(new))
    }
}

extension EditableDefinitions {
    /// Gives a setting of the base another value, in memory.
    ///
    /// The edited text is read again as a whole: it must differ in this value, and in nothing else.
    ///
    /// - Throws: If the base does not have the setting, or is written in a way that cannot be edited safely.
    package func editing(_ section: String, _ name: String, to value: JSONValue) throws(ExperimentEditError)
        -> SettingEdit
    {
        let path = SettingPath.text([section, name])
        guard let source = content.sources.first(where: { DefinitionsFolder.stem(of: $0.name) == "base" }) else {
            throw ExperimentEditError(description: "there is no base in \(folder)")
        }
        let shown = DefinitionsReading.shown(source.name, in: folder)
        let keys = [
            ConfigurationDocument.Key.sections, section, ConfigurationDocument.Key.settings, name, "value",
        ]
        guard let tree = SourceTree(source.bytes, file: source.name).root, let field = Field(tree).member(keys) else {
            throw ExperimentEditError(description: "\(shown) does not declare \(path)")
        }
        guard let bytes = Self.replacing(field, with: value, in: source),
            let newTree = SourceTree(bytes, file: source.name).root, let newField = Field(newTree).member(keys),
            newField.node.json == value, tree.json.replacing(keys[...], with: value) == newTree.json
        else {
            throw ExperimentEditError(
                description: "\(shown) is written in a way that cannot be edited safely; set the value of \(path) by "
                    + "hand: value: \(value.flowText)")
        }
        let edited = DefinitionSource(name: source.name, bytes: bytes)
        let sources = content.sources.map { $0.name == source.name ? edited : $0 }
        let (loaded, problems) = load(sources)
        let known = Set(self.loaded.warnings.map(\.message))
        return SettingEdit(
            path: shown, oldText: String(decoding: source.bytes, as: UTF8.self),
            newText: String(decoding: bytes, as: UTF8.self), loaded: loaded,
            problems: problems.filter { !known.contains($0.message) })
    }

    private func load(_ sources: [DefinitionSource]) -> (LoadedDefinitions?, [DefinitionProblem]) {
        do throws(DefinitionsError) {
            let loaded = try loader.load(sources, folder: folder)
            return (loaded, loaded.warnings)
        } catch {
            if case .invalid(let problems) = error { return (nil, problems) }
            return (nil, [DefinitionProblem(file: folder, "\(error)")])
        }
    }

    /// The test files of the folder, for the definitions as they would be; empty if there are none.
    package func testSources() throws(DefinitionsError) -> [DefinitionSource] {
        guard content.folders.contains(DefinitionsLoader.testFolder) else { return [] }
        let tests = (folder.hasSuffix("/") ? folder : folder + "/") + DefinitionsLoader.testFolder
        return try loader.testSources(in: tests) { try loader.testContent(folder: tests) }
    }

    /// The file with another value in the place of one. Returns `nil` if the end of the value is not known.
    private static func replacing(_ field: Field, with value: JSONValue, in source: DefinitionSource) -> [UInt8]? {
        let tree = SourceTree(source.bytes, file: source.name)
        guard let text = tree.text else { return nil }
        let start = text.offset(of: field.position)
        guard let end = ValueExtent(text).end(ofValueAt: start), start < end else { return nil }
        let wasPlain = !["\"", "'"].contains(Unicode.Scalar(text.bytes[start]))
        let isJSON = source.name.hasSuffix(".json")
        let written = isJSON ? value.canonicalText : value.yamlText(mayBePlain: wasPlain)
        var bytes = text.bytes
        bytes.replaceSubrange(start..<end, with: written.utf8)
        let mark = source.bytes.count - text.bytes.count
        return source.bytes.prefix(mark) + bytes
    }
}

extension Field {
    fileprivate func member(_ keys: [String]) -> Field? {
        keys.reduce(Optional(self)) { field, key in field?.member(key) }
    }
}

extension JSONValue {
    fileprivate func replacing(_ keys: ArraySlice<String>, with value: JSONValue) -> JSONValue {
        guard let key = keys.first else { return value }
        guard case .object(var members) = self, let member = members[key] else { return self }
        members[key] = member.replacing(keys.dropFirst(), with: value)
        return .object(members)
    }

    /// The value as YAML, on one line: texts without quotes if they may be and are harmless so.
    fileprivate func yamlText(mayBePlain: Bool) -> String {
        guard mayBePlain, case .string(let text) = self, let first = text.unicodeScalars.first,
            ("a"..."z").contains(first) || ("A"..."Z").contains(first),
            text.unicodeScalars.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789 _-.".unicodeScalars.contains($0))
            }),
            !text.hasSuffix(" "), case .text = YAMLSource.content(ofPlain: text)
        else { return flowText }
        return text
    }

    /// The value as JSON that YAML reads alike, on one line.
    package var flowText: String {
        switch self {
        case .array(let elements): "[\(elements.map(\.flowText).joined(separator: ", "))]"
        case .object(let object) where object.isEmpty: "{}"
        case .object(let object):
            "{ "
                + object.members.map { "\(JSONValue.string($0.key).canonicalText): \($0.value.flowText)" }
                .joined(separator: ", ") + " }"
        default: canonicalText
        }
    }
}
