import AllotConfiguration
import AllotFiles

/// The purpose of creating a ``SettingsSection``, which the initialisers of its settings read.
struct SettingsContext: Sendable {
    /// The task of an initialiser.
    enum Purpose: Sendable {
        /// Take the value from a snapshot.
        case binding(ConfigurationStorage)
        /// Report what it declares.
        case collecting(SettingsCollector)
    }

    let section: String
    let purpose: Purpose

    /// `nil` for a section that is created without a configuration.
    @TaskLocal static var current: SettingsContext?
}

final class SettingsCollector: Sendable {
    struct Entry: Sendable {
        let declaration: SettingDeclaration
        let state: any AnyObject & Sendable
    }

    private let collected = Lock<[Entry]>([])
    private let sectionType: String

    init(sectionType: String) {
        self.sectionType = sectionType
    }

    var entries: [Entry] { collected.withLock { $0 } }

    func add<Value: SettingValue>(_ setting: SettingState<Value>, in section: String) {
        let declaration = SettingDeclaration(
            section: section, setting: setting.key, defaultValue: setting.defaultValue.json,
            constraints: setting.constraints, presentation: setting.presentation, valueType: Value.self,
            sectionType: sectionType,
            defaultViolations: setting.constraints.violations(ofDefault: setting.defaultValue))
        collected.withLock { $0.append(Entry(declaration: declaration, state: setting)) }
    }
}

struct DeclaredSection {
    /// The declarations of its own properties, in their order.
    private(set) var declarations: [SettingDeclaration] = []
    /// The names of settings that its initialiser creates and that are not properties of it.
    private(set) var foreign: [String] = []
    let sections: [String]

    init(_ type: any SettingsSection.Type) {
        let collector = SettingsCollector(sectionType: String(describing: type))
        let context = SettingsContext(section: type.section, purpose: .collecting(collector))
        let made = SettingsContext.$current.withValue(context) { type.init() }
        var held = HeldSettings()
        held.lookInto(Mirror(reflecting: made), isOwn: true)
        sections = held.sections
        for entry in collector.entries {
            let identity = ObjectIdentifier(entry.state)
            if held.own.contains(identity) {
                declarations.append(entry.declaration)
            } else if !held.nested.contains(identity) {
                foreign.append(entry.declaration.setting)
            }
        }
    }
}

private protocol AnySetting {
    /// The identity that all copies of a setting share, and no other setting has.
    var identity: ObjectIdentifier { get }
}

extension Setting: AnySetting {
    fileprivate var identity: ObjectIdentifier { ObjectIdentifier(state) }
}

/// The settings that a value contains, also in values that group them.
private struct HeldSettings {
    private(set) var own: Set<ObjectIdentifier> = []
    private(set) var nested: Set<ObjectIdentifier> = []
    private(set) var sections: [String] = []

    mutating func lookInto(_ mirror: Mirror, isOwn: Bool) {
        if let parent = mirror.superclassMirror { lookInto(parent, isOwn: isOwn) }
        for (_, child) in mirror.children {
            if let setting = child as? any AnySetting {
                if isOwn { own.insert(setting.identity) } else { nested.insert(setting.identity) }
                continue
            }
            let inside = Mirror(reflecting: child)
            if let section = child as? any SettingsSection {
                if isOwn { sections.append(String(describing: type(of: section))) }
                lookInto(inside, isOwn: false)
            } else if inside.displayStyle != .class {
                // References may form cycles.
                lookInto(inside, isOwn: isOwn)
            }
        }
    }
}
