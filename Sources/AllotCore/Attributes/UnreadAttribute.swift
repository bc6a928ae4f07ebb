import AllotConfiguration

/// An attribute that was given and that no definition reads, which may be misspelt.
public struct UnreadAttribute: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// The attribute that is probably meant; `nil` if no name is near, or if that attribute was given as well.
    public let meant: String?
}

extension Plan {
    /// The attributes of a subject that no definition reads, in the order of their bytes. Where nothing is randomised,
    /// `user_id` is only what every subject has, and not one of them. Complexity: O(attributes of the subject ·
    /// attributes of the plan).
    package func unreadAttributes(of subject: Subject) -> [UnreadAttribute] {
        let isUnitRead = !units().isEmpty
        return subject.attributeNames.filter { isUnitRead || $0 != Subject.defaultUnit }
            .compactMap { unreadAttribute($0) { subject.isGiven($0) } }
    }

    /// An attribute that no definition reads, with another one as a hint unless that was given. Returns `nil` if some
    /// definition reads it.
    package func unreadAttribute(_ name: String, isGiven: (String) -> Bool) -> UnreadAttribute? {
        guard attributes.index(of: name) == nil else { return nil }
        let object = Array("\(name).".utf8)
        guard !attributes.names.contains(where: { $0.utf8.starts(with: object) }) else { return nil }
        let hint = NearestName.hint(for: name, among: attributes.names)
        return UnreadAttribute(name: name, meant: hint.flatMap { isGiven($0) ? nil : $0 })
    }
}

extension [UnreadAttribute] {
    private static var noted: Int { 10 }

    /// Notes for people: one for each attribute that another is probably meant by, up to ten, and one for all others.
    package var notes: [String] {
        let hinted = filter { $0.meant != nil }
        var notes = hinted.prefix(Self.noted).map { attribute in
            "no experiment looks at \(QuotedText(attribute.name)); did you mean "
                + "\(QuotedText(attribute.meant ?? ""))?"
        }
        let others = (Array(hinted.dropFirst(Self.noted)) + filter { $0.meant == nil }).map(\.name)
        if !others.isEmpty { notes.append("no experiment looks at \(others.quoted(atMost: Self.noted))") }
        return notes
    }
}
