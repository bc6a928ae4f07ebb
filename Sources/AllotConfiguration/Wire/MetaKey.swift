/// The members of a configuration's `meta` that Allot writes.
package enum MetaKey {
    package static let formatVersion = "format_version_string", creationTime = "creation_time"
    package static let formatVersionValue: JSONValue = "1.0"
    package static let revision = "configuration_revision", assignments = "assignments", holdouts = "holdouts"
}

/// The members of an entry of `meta.assignments`, which stands under its experiment's key.
package enum AssignmentKey {
    /// The unit's second bucket, or its number of another system's hash unless that has 60 bits; only with the reason
    /// `split`.
    package static let bucket = "bucket"
    package static let reason = "reason"
    package static let revision = "revision"
    /// The salt of the experiment, where it is not the key: with the key it names the randomisation.
    package static let salt = "salt"
    package static let settings = "settings"
    /// The start of the window that decided, in RFC 3339; only of experiments with a period, and with the reason
    /// `split`.
    package static let since = "since"
    /// The settings that any variant of the experiment overrides, where these are more.
    package static let comparedSettings = "settings_compared"
    /// The attribute that was randomised, or the name of several, where it is not ``UnitContract/defaultAttribute``;
    /// ``UnitContract/noUnit`` if nothing was.
    package static let unit = "unit"
    package static let variant = "variant"
    /// The number of the window that decided, where there is ``since``.
    package static let window = "window"
}
