import AllotConfiguration
import Synchronization

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
