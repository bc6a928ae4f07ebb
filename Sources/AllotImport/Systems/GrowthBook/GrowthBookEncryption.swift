import AllotConfiguration
internal import CLibCrypto
import Foundation

/// Encrypted parts of GrowthBook's payloads: Base64 of an initialisation vector, ".", and Base64 of the text in AES-128
/// in CBC mode with PKCS #7 padding. Only this file of the module uses libcrypto.
enum GrowthBookEncryption {
    private static let parts = [
        "encryptedFeatures": "features", "encryptedSavedGroups": "savedGroups", "encryptedExperiments": "experiments",
        "encryptedContextualBandits": "contextualBandits",
    ]

    static func decrypted(_ payload: PayloadNode, key: String?) throws(ImportProblem) -> PayloadNode {
        guard case .object(var object) = payload.value else { return payload }
        for (encrypted, plain) in parts.sorted(by: { $0.key < $1.key }) {
            guard let node = payload[encrypted] else { continue }
            object[encrypted] = nil
            object[plain] = try decrypted(node, key: key)
        }
        return PayloadNode(.object(object), path: payload.path)
    }

    private static func decrypted(_ node: PayloadNode, key: String?) throws(ImportProblem) -> JSONValue {
        guard let key else { throw node.problem("the value is encrypted; give the SDK connection's decryption key") }
        guard let keyBytes = Data(base64Encoded: key), keyBytes.count == 16 else {
            throw node.problem("the key is not an encryption key of GrowthBook, Base64 of 16 bytes")
        }
        let halves = try node.text().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard halves.count == 2, let vector = Data(base64Encoded: halves[0]), vector.count == 16,
            let text = Data(base64Encoded: halves[1]), !text.isEmpty, text.count % 16 == 0
        else { throw node.problem("this is not encrypted text, Base64 of 16 bytes, \".\" and Base64; is it cut?") }
        guard let plain = decrypted(Array(text), key: Array(keyBytes), vector: Array(vector)) else {
            throw node.problem("the key does not open this; is it the key of the same SDK connection?")
        }
        do throws(JSONParsingError) {
            return try JSONValue(parsing: plain)
        } catch {
            throw node.problem("the key does not open this; is it the key of the same SDK connection?")
        }
    }

    private static func decrypted(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8]? {
        guard bytes.count < Int32.max, let context = EVP_CIPHER_CTX_new() else { return nil }
        // Otherwise a later call would find an error of this one.
        defer {
            EVP_CIPHER_CTX_free(context)
            ERR_clear_error()
        }
        guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, vector) == 1 else { return nil }
        var plain = [UInt8](repeating: 0, count: bytes.count + 16)
        var (count, rest) = (Int32(0), Int32(0))
        let isOpened = plain.withUnsafeMutableBufferPointer { output in
            EVP_DecryptUpdate(context, output.baseAddress, &count, bytes, Int32(bytes.count)) == 1
                && EVP_DecryptFinal_ex(context, output.baseAddress.map { $0 + Int(count) }, &rest) == 1
        }
        return isOpened ? Array(plain.prefix(Int(count + rest))) : nil
    }
}
