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
