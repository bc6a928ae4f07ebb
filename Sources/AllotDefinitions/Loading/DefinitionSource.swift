/// One file of definitions: its name and its bytes. `Sendable`.
public struct DefinitionSource: Sendable {
    /// The file's name with its ending, `checkout.yaml`. The name without the ending says what the file defines.
    package let name: String
    package let bytes: [UInt8]

    /// Creates a source.
    public init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
}

/// Limits on the size of definitions, upwards and downwards, so that a mistake or an attack costs little. `Sendable`.
///
/// ```swift
/// var limits = DefinitionLimits()
/// limits.settings = 500
/// let loaded = try DefinitionsLoader(limits: limits).load(folder: "Experiments")
/// print(loaded.warnings)
/// ```
public struct DefinitionLimits: Sendable, Hashable {
    /// The maximum number of settings that the base may declare.
    public var settings = 100
    /// The maximum size of the values of a configuration as JSON, in bytes: those of the base, and those with the
    /// overrides of any variant.
    public var valueBytes = 131_072
    /// The maximum size of one file, in bytes.
    public var fileBytes = 16_777_216
    /// Whether a folder may define no setting and no experiment. Otherwise that is an error, because it means that the
    /// files were deleted or are not there yet, and every unit would get an empty configuration.
    public var allowsEmpty = false

    /// Creates the standard limits: 100 settings, 128 KiB of values, 16 MiB per file, no empty folder.
    public init() {}
}
