import AllotConfiguration
import AllotFiles

/// The settings of a section as a type: each property names its setting once, with its type, its default and the
/// constraints on its values.
///
/// A section that is created without a configuration, as by `CheckoutSettings()`, has the defaults: for previews and
/// tests.
///
/// A setting takes its value from the section that is being created. Therefore a section must not contain another
/// section, and neither its initialiser nor the defaults of its properties may create one, not even through a global or
/// static constant that they are the first to use: its settings would keep this snapshot's values of the wrong section.
/// ``SettingsCatalog`` finds both mistakes.
public protocol SettingsSection: Sendable {
    /// The section's name in the configuration.
    static var section: String { get }

    /// Creates the section with the defaults, and does nothing else: a configuration calls it and fills in its values.
    init()
}

extension Configuration {
    /// The typed and checked settings of a section, all from this snapshot. They are created once for each snapshot and
    /// type.
    ///
    /// Creating them reports no exposure, reading a property does. Complexity: O(1), except for the first time.
    @inlinable public func settings<Section: SettingsSection>(_ type: Section.Type) -> Section {
        guard let known = boundSections.find(ObjectIdentifier(type)) as? BoundSection<Section> else {
            return bind(type)
        }
        return known.section
    }

    @usableFromInline func bind<Section: SettingsSection>(_ type: Section.Type) -> Section {
        let context = SettingsContext(type: type, purpose: .binding(storage))
        // The defaults may be files, too.
        let section = ConfigurationFiles.$current.withValue(storage.files) {
            SettingsContext.$current.withValue(context) { type.init() }
        }
        let kept = boundSections.keep(BoundSection(section), ObjectIdentifier(type))
        return (kept as? BoundSection<Section>)?.section ?? section
    }
}

@usableFromInline final class BoundSection<Section: SettingsSection>: Sendable {
    @usableFromInline let section: Section

    init(_ section: Section) { self.section = section }
}

/// The sections that were created from a snapshot. Their settings keep the snapshot's storage alive, for exposures that
/// they report later; therefore the storage must not keep them alive.
@usableFromInline final class BoundSections: Sendable {
    // An app has a handful of types: a linear search is faster than hashing.
    private let entries = Lock<[(type: ObjectIdentifier, section: any AnyObject & Sendable)]>([])

    @usableFromInline func find(_ type: ObjectIdentifier) -> (any AnyObject & Sendable)? {
        entries.withLock { $0.first { $0.type == type }?.section }
    }

    /// Keeps a section, unless there is one of its type already. Returns the one that is kept.
    func keep(_ section: any AnyObject & Sendable, _ type: ObjectIdentifier) -> any AnyObject & Sendable {
        entries.withLock { entries in
            if let earlier = entries.first(where: { $0.type == type }) { return earlier.section }
            entries.append((type, section))
            return section
        }
    }
}

/// The purpose of creating a ``SettingsSection``, which the initialisers of its settings read.
struct SettingsContext: Sendable {
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
        var own: Set<ObjectIdentifier> = []
        let made = SettingsContext.$current.withValue(context) { type.init() }
        lookInto(Mirror(reflecting: made), &own)
        let states = collector.states
        declarations = states.filter { own.contains(ObjectIdentifier($0)) }.map(\.declaration)
        foreign = states.filter { !own.contains(ObjectIdentifier($0)) }.map(\.declaration.setting)
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
