public import AllotConfiguration
import Foundation

extension ConfigurationDocument {
    /// Reads a file in the exchange format, such as the configuration that an app is delivered with:
    ///
    ///     var options = ClientOptions()
    ///     options.bootstrap = { try ConfigurationDocument(contentsOf: "Initial.json") }
    ///
    /// - Throws: Foundation's error for a file that cannot be read, ``AllotConfiguration/ConfigurationDocumentError`` for one
    ///   that is no configuration.
    public init(contentsOf path: String) throws {
        try self.init(parsing: Array(Data(contentsOf: URL(fileURLWithPath: path))))
    }
}
