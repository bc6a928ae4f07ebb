import AllotConfiguration
import AllotSigning
import Testing

/// Keys that are made once for all tests.
enum Samples {
    static let payload = Array(#"{"config_sections":{},"meta":{}}"#.utf8)

    private static let rsa = Result { try SigningKey.generate(.rs256) }
    private static let p256 = Result { try SigningKey.generate(.es256) }

    static func key(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
        switch algorithm {
        case .rs256: try rsa.get()
        case .es256: try p256.get()
        }
    }
}

/// Expects a refusal of a kind, with words in its message.
func expectRefusal(
    _ code: SignatureError.Code, _ parts: String..., at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    do {
        try body()
        Issue.record("nothing is refused", sourceLocation: location)
    } catch let error as SignatureError {
        #expect(error.code == code, "\(error)", sourceLocation: location)
        for part in parts { #expect(error.message.contains(part), "\(error)", sourceLocation: location) }
    } catch {
        Issue.record(error, sourceLocation: location)
    }
}
