import AllotConfiguration
import AllotCore

/// The selection of settings: a page of those that match.
package struct SettingsSelection: Sendable {
    /// The settings whose name, title or description has these words, in any order and any case of letters.
    package var text = ""
    package var section = ""
    /// The name of the only setting, `Section.Setting`; empty for all.
    package var setting = ""
    package var page = 1
    package init() {}

    package func matching(_ settings: [DeclaredSetting]) -> [DeclaredSetting] {
        let words = SearchWords(text)
        return settings.filter { declared in
            if !setting.isEmpty { return UTF8Order.areEqual(declared.path, setting) }
            guard section.isEmpty || UTF8Order.areEqual(declared.section, section) else { return false }
            return words.areFound(in: [declared.path, declared.title, declared.description].compactMap(\.self))
        }
    }

    func query(page: Int) -> String {
        [("text", text), ("section", section), ("page", page == 1 ? "" : "\(page)")].filter { !$0.1.isEmpty }
            .map { "\($0.0)=\(PageLinks.encoded($0.1))" }.joined(separator: "&")
    }
}
