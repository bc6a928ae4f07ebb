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
    /// The types of the sections that it contains, whose settings are among the foreign ones.
    private(set) var sections: [String] = []

    init(_ type: any SettingsSection.Type) {
        let collector = SettingsCollector()
        let context = SettingsContext(type: type, purpose: .collecting(collector))
        let made = SettingsContext.$current.withValue(context) { type.init() }
        var own: Set<ObjectIdentifier> = []
        lookInto(Mirror(reflecting: made), &own)
        for state in collector.states {
            if own.contains(ObjectIdentifier(state)) {
                declarations.append(state.declaration)
            } else {
                foreign.append(state.declaration.setting)
            }
        }
    }

    /// Collects the settings and the sections of a value, also in values that group them.
    private mutating func lookInto(_ mirror: Mirror, _ own: inout Set<ObjectIdentifier>) {
        if let parent = mirror.superclassMirror { lookInto(parent, &own) }
        for (_, child) in mirror.children {
            if let setting = child as? any AnySetting {
                own.insert(ObjectIdentifier(setting.state))
            } else if let section = child as? any SettingsSection {
                sections.append(String(describing: type(of: section)))
            } else {
                let inside = Mirror(reflecting: child)
                // References may form cycles.
                if inside.displayStyle != .class { lookInto(inside, &own) }
            }
        }
    }
}

private protocol AnySetting {
    /// The part that all copies of a setting share, and no other setting has.
    var state: SettingState { get }
}

extension Setting: AnySetting {}
