/// The members of `meta` that Allot writes.
package enum MetaKey {
    package static let formatVersion = "format_version_string"
    package static let formatVersionValue: JSONValue = "1.0"
    package static let creationTime = "creation_time"
    package static let revision = "configuration_revision"
    package static let assignments = "assignments"
    package static let holdouts = "holdouts"
}
