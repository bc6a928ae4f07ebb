/// One file of a definitions folder: its name and its bytes, wherever they come from.
public struct DefinitionSource: Sendable {
    /// The file's name with its ending, `checkout.yaml`. The name without ending says what it holds.
    public let name: String
    /// YAML or JSON.
    public let bytes: [UInt8]

    /// Creates a source.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// Bounds of definitions, so that a mistake or an attack costs little.
public struct DefinitionLimits: Sendable {
    /// The most settings that the base may declare.
    public var settings = 100
    /// The most bytes that the values of the base may come to as JSON.
    public var valueBytes = 131_072
    /// The most bytes that one file may have.
    public var fileBytes = 16_777_216

    /// 100 settings, 128 KiB of values, 16 MiB a file.
    public init() {}
}
