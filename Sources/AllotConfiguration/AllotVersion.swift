/// The version of Allot: the one place that names it.
package enum AllotVersion {
    /// The version after the rules of Semantic Versioning. CHANGELOG.md has a section for it.
    package static let number = "0.1.0"
}
