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
    private let collected = Mutex<[SettingDeclaration]>([])
    private let sectionType: String

    private init(sectionType: String) {
        self.sectionType = sectionType
    }

    func add<Value: SettingValue>(_ setting: SettingState<Value>, in section: String) {
        let declaration = SettingDeclaration(
            section: section, setting: setting.key, defaultValue: setting.defaultValue.json,
            constraints: setting.constraints, description: setting.description,
            requiresRestart: setting.requiresRestart, valueType: Value.self, sectionType: sectionType,
            defaultViolations: setting.constraints.violations(ofDefault: setting.defaultValue))
        collected.withLock { $0.append(declaration) }
    }

    /// What a section's type declares, in the order of its properties.
    static func declarations(of type: any SettingsSection.Type) -> [SettingDeclaration] {
        let collector = SettingsCollector(sectionType: String(describing: type))
        let context = SettingsContext(section: type.section, purpose: .collecting(collector))
        SettingsContext.$current.withValue(context) { _ = type.init() }
        return collector.collected.withLock { $0 }
    }
}
