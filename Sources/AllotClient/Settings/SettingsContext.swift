import AllotConfiguration
import Synchronization

/// For what a ``SettingsSection`` is being made: its settings' initialisers look here.
struct SettingsContext: Sendable {
    /// What an initialiser is to do.
    enum Purpose: Sendable {
        /// Take the value of a snapshot.
        case binding(ConfigurationStorage, [UTF8Key: SettingEntry])
        /// Tell what it declares.
        case collecting(SettingsCollector)
    }

    /// The section's name.
    let section: String
    let purpose: Purpose

    /// `nil` where a section is made by itself.
    @TaskLocal static var current: SettingsContext?
}

/// Takes what settings declare.
final class SettingsCollector: Sendable {
    /// What a setting declares, and what all its copies share.
    struct Entry: Sendable {
        let declaration: SettingDeclaration
        let state: any AnyObject & Sendable
    }

    private let collected = Mutex<[Entry]>([])
    private let sectionType: String

    init(sectionType: String) {
        self.sectionType = sectionType
    }

    /// What was declared, in the order in which it was made.
    var entries: [Entry] { collected.withLock { $0 } }

    func add<Value: SettingValue>(_ setting: SettingState<Value>, in section: String) {
        let declaration = SettingDeclaration(
            section: section, setting: setting.key, defaultValue: setting.defaultValue.json,
            constraints: setting.constraints, description: setting.description,
            requiresRestart: setting.requiresRestart, valueType: Value.self, sectionType: sectionType,
            defaultViolations: setting.constraints.violations(ofDefault: setting.defaultValue))
        collected.withLock { $0.append(Entry(declaration: declaration, state: setting)) }
    }
}
