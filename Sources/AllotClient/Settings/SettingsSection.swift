import AllotConfiguration
import Synchronization

/// A section's settings as a type: each property names its setting once, beside its type, its default and what its values
/// must be.
///
///     struct CheckoutSettings: SettingsSection {
///         static let section = "Checkout"
///         @Setting("MaxItems", in: 1...100) var maxItems = 42
///         @Setting("Layout", choices: ["list", "grid"]) var layout = "list"
///     }
///
///     let checkout = configuration.settings(CheckoutSettings.self)
///     checkout.maxItems
///
/// Made without a configuration, as in `CheckoutSettings()`, it holds the defaults: for previews and tests.
///
/// A setting takes the values of the section that is being made. Therefore a section holds no other section, and neither its
/// initialiser nor the defaults of its properties make one, also not by a global or static constant that they are the first
/// to use: its settings would keep this snapshot's values of the wrong section. ``SettingsCatalog`` finds both.
public protocol SettingsSection: Sendable {
    /// The section's name in the configuration.
    static var section: String { get }

    /// Holds the defaults. It must do nothing else: a configuration calls it to fill in its values.
    init()
}

extension Configuration {
    /// A section's settings: typed, checked, all of this snapshot. They are made once for each snapshot and type.
    ///
    /// Making them reports no exposure, reading a property does. Complexity: O(1), but for the first time.
    @inlinable public func settings<Section: SettingsSection>(_ type: Section.Type) -> Section {
        guard let known = boundSections.find(ObjectIdentifier(type)) as? BoundSection<Section> else {
            return bind(type)
        }
        return known.section
    }

    @usableFromInline func bind<Section: SettingsSection>(_ type: Section.Type) -> Section {
        let entries = storage.sections[UTF8Key(type.section)] ?? [:]
        let context = SettingsContext(section: type.section, purpose: .binding(storage, entries))
        let section = SettingsContext.$current.withValue(context) { type.init() }
        let kept = boundSections.keep(BoundSection(section), ObjectIdentifier(type))
        return (kept as? BoundSection<Section>)?.section ?? section
    }
}

/// A section behind a reference.
@usableFromInline final class BoundSection<Section: SettingsSection>: Sendable {
    @usableFromInline let section: Section

    init(_ section: Section) {
        self.section = section
    }
}

/// The sections that were made of a snapshot.
///
/// Their settings hold the snapshot's storage, for the exposures that they may report when all else has let go of it:
/// therefore the storage does not hold them.
@usableFromInline final class BoundSections: Sendable {
    private struct Entry: Sendable {
        let type: ObjectIdentifier
        let section: any AnyObject & Sendable
    }

    // An app has a handful of types: looking through them is faster than hashing.
    private let entries = Mutex<[Entry]>([])

    init() {}

    /// The section of a type, behind a ``BoundSection``.
    @usableFromInline func find(_ type: ObjectIdentifier) -> (any AnyObject & Sendable)? {
        entries.withLock { entries in
            for entry in entries where entry.type == type { return entry.section }
            return nil
        }
    }

    /// Keeps a section, unless there is one already.
    ///
    /// - Returns: the one that is kept.
    func keep(_ section: any AnyObject & Sendable, _ type: ObjectIdentifier) -> any AnyObject & Sendable {
        entries.withLock { entries in
            if let earlier = entries.first(where: { $0.type == type }) { return earlier.section }
            entries.append(Entry(type: type, section: section))
            return section
        }
    }
}
