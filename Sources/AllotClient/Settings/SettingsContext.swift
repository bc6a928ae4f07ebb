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

    let type: any SettingsSection.Type
    let purpose: Purpose

    /// `nil` for a section that is created without a configuration.
    @TaskLocal static var current: SettingsContext?
}

final class SettingsCollector: Sendable {
    private let collected = Lock<[SettingState]>([])

    var states: [SettingState] { collected.withLock { $0 } }

    func add(_ setting: SettingState) { collected.withLock { $0.append(setting) } }
}

struct DeclaredSection {
    /// The declarations of its own properties, in their order.
    private(set) var declarations: [SettingDeclaration] = []
    /// The names of settings that its initialiser creates and that are not properties of it.
    private(set) var foreign: [String] = []
    let sections: [String]

    init(_ type: any SettingsSection.Type) {
        let collector = SettingsCollector()
        let context = SettingsContext(type: type, purpose: .collecting(collector))
        let made = SettingsContext.$current.withValue(context) { type.init() }
        var held = HeldSettings()
        held.lookInto(Mirror(reflecting: made), isOwn: true)
        sections = held.sections
        for state in collector.states {
            let identity = ObjectIdentifier(state)
            if held.own.contains(identity) {
                declarations.append(state.declaration)
            } else if !held.nested.contains(identity) {
                foreign.append(state.declaration.setting)
            }
        }
    }
}

private protocol AnySetting {
    /// The part that all copies of a setting share, and no other setting has.
    var state: SettingState { get }
}

extension Setting: AnySetting {}

/// The settings that a value contains, also in values that group them.
private struct HeldSettings {
    private(set) var own: Set<ObjectIdentifier> = []
    private(set) var nested: Set<ObjectIdentifier> = []
    private(set) var sections: [String] = []

    mutating func lookInto(_ mirror: Mirror, isOwn: Bool) {
        if let parent = mirror.superclassMirror { lookInto(parent, isOwn: isOwn) }
        for (_, child) in mirror.children {
            if let setting = child as? any AnySetting {
                let identity = ObjectIdentifier(setting.state)
                if isOwn { own.insert(identity) } else { nested.insert(identity) }
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
