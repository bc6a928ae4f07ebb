import AllotConfiguration
import AllotCore

/// The reason why arguments do not describe a subject, and the fix.
package struct SubjectError: Error, Sendable, Hashable, CustomStringConvertible { package let description: String }

/// A subject as people write it: a unit ID, attributes such as `country=DE`, and attributes with types. `Sendable`.
package struct WrittenSubject: Sendable {
    package private(set) var subject: Subject
    /// The unit ID that stands alone, without the name of its attribute.
    private let id: String?

    /// Reads a subject. The first argument is the unit ID, which is the attribute `user_id`, unless it is an attribute
    /// itself: every argument with `=` is one. An attribute with an empty value is missing. Throws if nothing is given,
    /// if an argument is not an attribute, or if an attribute is given twice.
    package init(arguments: [String], typed: JSONObject? = nil) throws(SubjectError) {
        guard !arguments.isEmpty || typed != nil else {
            throw SubjectError(description: "No subject; give a unit ID and attributes, such as: user-42 country=DE")
        }
        let typed = typed ?? [:]
        subject = Subject(attributes: typed)
        var given = Set(typed.members.map { UTF8Key($0.key) })
        id = arguments.first.flatMap { $0.utf8.contains(UInt8(ascii: "=")) ? nil : $0 }
        if let id {
            guard given.insert(UTF8Key(Subject.defaultUnit)).inserted else {
                throw SubjectError(
                    description: "The unit ID is given twice, as \(QuotedText(id)) and as typed user_id; keep one.")
            }
            subject.setUntyped(Subject.defaultUnit, id)
        }
        for argument in arguments.dropFirst(id == nil ? 0 : 1) {
            guard let (name, value) = argument.namedValue else {
                throw SubjectError(
                    description:
                        "\(QuotedText(argument)) is not an attribute; write it as name=value, such as country=DE.")
            }
            guard given.insert(UTF8Key(name)).inserted else {
                let hint = name == Subject.defaultUnit ? " (it is the unit ID, the first argument)" : ""
                throw SubjectError(description: "The attribute \(PrintableText(name)) is given twice\(hint); keep one.")
            }
            subject.setUntyped(name, value)
        }
    }

    /// Throws if the subject has the attribute of none of a plan's units: no experiment can assign it a variant, so an
    /// answer would be about no unit. A unit ID that stands alone is meant as one, whatever the plan's units are.
    package func checkUnit(in plan: Plan) throws(SubjectError) {
        let units = plan.units()
        guard id == nil, !units.isEmpty, !units.contains(where: { subject.value(of: $0) != nil }) else { return }
        let forms = units.sorted(by: UTF8Order.precedes).map { "\(PrintableText($0))=ID" }
        throw SubjectError(
            description: "No unit ID is given; write it first, as in user-42 country=DE, or as an attribute: "
                + "\(forms.joined(separator: " or ")), where the ID may contain \"=\".")
    }

    /// Notes about a subject that is valid but probably not what was meant: an ID that is not a valid unit ID,
    /// attributes that no experiment looks at, and attributes that decisions rest on and that are not given.
    package func notes(on explanation: Explanation) -> [String] {
        var notes: [String] = []
        if let id, id.isEmpty {
            notes.append(
                "the unit ID is empty, so only experiments without a unit assign a variant; is a variable unset?")
        } else if let id, id.utf8.count > UnitID.maximumLength {
            notes.append(
                "the unit ID has \(id.utf8.count) bytes; a unit with more than \(UnitID.maximumLength) is not assigned")
        }
        notes += explanation.unread.notes
        let missing = Set(explanation.experiments.flatMap(\.dependsOn).map(UTF8Key.init)).sorted().map(\.text)
        if !missing.isEmpty {
            notes.append(
                "experiments look at \(missing.quoted(atMost: 10)), which "
                    + "\(missing.count == 1 ? "is" : "are") not given")
        }
        return notes
    }
}
