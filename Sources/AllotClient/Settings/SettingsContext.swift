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

/// What a section's type declares, and what it makes besides.
struct DeclaredSection {
    /// What its own properties declare, in their order.
    private(set) var declarations: [SettingDeclaration] = []
    /// The names of settings that are made with it, and that it does not hold.
    private(set) var foreign: [String] = []
    /// The types of the sections that it holds.
    let sections: [String]

    /// Makes a section and looks at what it holds.
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

/// A setting of any type.
private protocol AnySetting {
    /// What no other setting has but its copies.
    var identity: ObjectIdentifier { get }
}

extension Setting: AnySetting {
    fileprivate var identity: ObjectIdentifier { ObjectIdentifier(state) }
}

/// The settings that a value stores, also in the plain values that it groups them in.
private struct HeldSettings {
    private(set) var own: Set<ObjectIdentifier> = []
    /// Those of sections that it stores.
    private(set) var nested: Set<ObjectIdentifier> = []
    /// The types of these sections.
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
                // References may go round in circles.
                lookInto(inside, isOwn: isOwn)
            }
        }
    }
}
