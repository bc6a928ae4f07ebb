import Allot
import AllotConfiguration

/// The reason why arguments do not describe a subject.
package struct SubjectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and how to fix it.
    package let description: String
}

extension Subject {
    /// A subject as people write it: a unit ID, attributes such as `country=DE`, and typed attributes as a JSON object.
    ///
    /// The unit ID is the attribute `user_id`. An attribute with an empty value is missing. Throws if there is
    /// neither a unit ID nor JSON, if the JSON is not an object, or if an attribute is given twice.
    package init(id: String?, pairs: [String], json: String?) throws(SubjectError) {
        guard id != nil || json != nil else {
            throw SubjectError(description: "No subject; give a unit ID and attributes, such as: user-42 country=DE")
        }
        let typed = try json.map(Self.typedAttributes) ?? [:]
        var given = Set(typed.members.map { UTF8Key($0.key) })
        self.init(attributes: typed)
        if let id {
            guard given.insert(UTF8Key(Self.defaultUnit)).inserted else {
                throw SubjectError(
                    description: "The unit ID is given twice, as \(QuotedText(id)) and as user_id in --json; keep one.")
            }
            setUntyped(Self.defaultUnit, id)
        }
        for pair in pairs {
            guard let (name, value) = pair.namedValue else {
                throw SubjectError(
                    description: "\(QuotedText(pair)) is not an attribute; write it as name=value, such as country=DE.")
            }
            guard given.insert(UTF8Key(name)).inserted else {
                let hint = name == Self.defaultUnit ? " (it is the unit ID, the first argument)" : ""
                throw SubjectError(description: "The attribute \(name) is given twice\(hint); keep one.")
            }
            setUntyped(name, value)
        }
    }

    private static func typedAttributes(_ json: String) throws(SubjectError) -> JSONObject {
        do throws(JSONParsingError) {
            if case .object(let object) = try JSONValue(parsing: Array(json.utf8)) { return object }
        } catch {
            throw SubjectError(
                description:
                    "--json is not valid JSON, at line \(error.line), column \(error.column): \(error.message).")
        }
        throw SubjectError(description: "--json takes a JSON object such as '{\"country\": \"DE\"}'.")
    }
}

extension Plan {
    /// Notes about a subject that is valid but probably not what was meant: an ID that is not a valid unit ID, and
    /// names of attributes that are probably misspelt.
    ///
    /// - Parameters:
    ///   - subject: the subject.
    ///   - id: the unit ID as it was written, if it was.
    package func notes(on subject: Subject, id: String?) -> [String] {
        let known = attributes.names
        var notes: [String] = []
        if let id {
            let length = id.utf8.count
            if length == 0 {
                notes.append(
                    "the unit ID is empty, so only experiments without a unit assign a variant; is a variable unset?")
            } else if length > UnitID.maximumLength {
                notes.append(
                    "the unit ID has \(length) bytes; a unit with more than \(UnitID.maximumLength) is not assigned")
            } else if let (name, _) = id.namedValue, known.contains(name) {
                notes.append("\(QuotedText(id)) is taken as the unit ID; the unit ID comes first, then attributes")
            }
        }
        for name in subject.attributeNames where !known.contains(where: { $0 == name || $0.hasPrefix(name + ".") }) {
            guard let hint = NearestName.hint(for: name, among: known), !subject.attributeNames.contains(hint) else {
                continue
            }
            notes.append("no experiment looks at \(QuotedText(name)); did you mean \(QuotedText(hint))?")
        }
        return notes
    }
}
