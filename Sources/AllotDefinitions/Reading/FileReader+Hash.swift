import AllotConfiguration
import AllotCore

extension FileReader {
    /// Reads `hash`, `salt` and `resolution`. The hash and the scale of its buckets are `nil` if they cannot be read.
    /// The name is the salt unless another is written.
    mutating func hash(_ fields: Fields, default name: String) -> (hash: UnitHash?, scale: BucketScale?) {
        // A salt is checked as one of Allot's own only if it is known to be one.
        guard let scheme = scheme(fields) else { return (nil, nil) }
        let resolution = resolution(fields, of: scheme)
        let scale = resolution.map { BucketScale(scheme, count: $0) }
        if scheme == .sha256 { return (salt(fields, default: name).map(UnitHash.sha256), scale) }
        guard let salt = foreignSalt(fields, of: scheme, default: name), let resolution else { return (nil, scale) }
        return (ForeignHash(scheme, salt: salt, resolution: resolution).map(UnitHash.other), scale)
    }

    /// A holdout's share as a number of buckets of its hash, whose scale is `nil` if it could not be read.
    mutating func share(_ field: Field, of scale: BucketScale?) -> Int? {
        guard let share = percentage(field, "share"), let scale else { return nil }
        if let border = scale.border(ofMillionths: share) { return border }
        error(
            "share \(Percentage.text(ofBuckets: share)) is not a whole number of buckets; \(scale.scheme.rawValue) has "
                + "\(scale.count)", at: field)
        return nil
    }

    private mutating func scheme(_ fields: Fields) -> HashScheme? {
        guard let field = fields["hash"] else { return .sha256 }
        let known = HashScheme.allCases.map(\.rawValue)
        let form = "a hash is one of \(known.joined(separator: ", "))"
        guard let text = text(field, "hash", form: form) else { return nil }
        if let scheme = HashScheme(rawValue: text) { return scheme }
        error("unknown hash \(QuotedText(text)); \(Self.hint(text, known, what: "the hashes are"))", at: field)
        return nil
    }

    private mutating func resolution(_ fields: Fields, of scheme: HashScheme) -> Int? {
        guard let field = fields["resolution"] else { return scheme.defaultResolution }
        guard scheme.takesResolution else {
            error("\(scheme.resolutionForm); remove the resolution", at: field, atKey: true)
            return nil
        }
        return wholeNumber(field, "resolution", in: 1...HashScheme.maximumResolution, form: scheme.resolutionForm)
    }

    /// The salt of another system: any text of 1 to 1,024 bytes, or of none.
    private mutating func foreignSalt(_ fields: Fields, of scheme: HashScheme, default name: String) -> String? {
        guard let field = fields["salt"] else { return name }
        guard let salt = text(field, "salt") else { return nil }
        if ForeignHash.isSalt(salt, of: scheme) { return salt }
        error(
            salt.utf8.contains(0)
                ? "the salt contains U+0000, which exposures cannot name; leave that character out"
                : "the salt has \(salt.utf8.count) bytes; \(scheme.saltForm)", at: field)
        return nil
    }
}

extension BucketScale {
    var isForeign: Bool { scheme != .sha256 }

    var rangeForm: String {
        guard isForeign else { return BucketRange.form }
        return
            "\(scheme.rawValue) has the buckets 0..<\(count); a range is written in buckets or in percent that are a "
            + "whole number of them, start below end"
    }

    /// The further condition on a range of Allot's own hash.
    var rangeEnd: String { isForeign ? "" : ", and the end at most 1000000 or 100%" }
}
