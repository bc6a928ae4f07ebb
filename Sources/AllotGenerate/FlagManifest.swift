import AllotConfiguration
import AllotCore

/// The settings of a base as OpenFeature's flag manifest, from which OpenFeature's command line generates typed
/// accessors in other languages. `Sendable`.
///
/// A flag's key is `Section.Setting`, as the server's OpenFeature routes name it, and its default is the base value.
/// What the manifest cannot represent is left out, with a note.
package struct FlagManifest: Sendable, GeneratedFile {
    /// The manifest, as JSON.
    package let text: String
    /// Notes for the developer, each a sentence.
    package let notes: [String]

    /// The address of the manifest's JSON Schema.
    package static let schema =
        "https://raw.githubusercontent.com/open-feature/cli/refs/heads/main/schema/v0/flag-manifest.json"

    /// Writes the manifest of the settings of a base, as `DefinitionsLoader` reads them.
    package init(_ settings: [DeclaredSetting]) {
        var flags = JSONObject()
        var notes: [String] = []
        var accessors: [String: String] = [:]
        for setting in settings {
            let key = SettingPath.text([setting.section, setting.name])
            let shown = PrintableText(key).description
            let flag = ManifestFlag(setting)
            notes += flag.notes.map { "\(shown) \($0)" }
            guard let json = flag.json else { continue }
            flags[key] = json
            if let other = accessors.updateValue(shown, forKey: Self.accessor(key)) {
                notes.append(
                    "\(other) and \(shown) differ in case or punctuation only, and OpenFeature's generators give them "
                        + "one name; rename one of them")
            }
        }
        let manifest: JSONValue = ["$schema": .string(Self.schema), "flags": .object(flags)]
        self.notes = notes
        text = manifest.prettyText + "\n"
    }

    /// The part of a key that the generators keep: letters and digits, in a case of their own.
    private static func accessor(_ key: String) -> String {
        String(String.UnicodeScalarView(key.unicodeScalars.filter { $0.properties.isAlphabetic || $0.isDigit }))
            .lowercased()
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
