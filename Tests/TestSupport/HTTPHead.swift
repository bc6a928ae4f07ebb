import Foundation

/// The head of a request or of an answer of HTTP/1.1, as it came.
package enum HTTPHead {
    /// The value of a header, by its name in small letters.
    package static func value(of name: String, in head: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() where line.lowercased().hasPrefix(name + ":") {
            return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
        return nil
    }
}
