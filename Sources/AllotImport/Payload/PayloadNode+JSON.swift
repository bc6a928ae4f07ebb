import AllotConfiguration
import Foundation

extension PayloadNode {
    /// The JSON in a text of the payload. Returns `nil` if the text is not JSON at all.
    ///
    /// - Throws: A problem if it is JSON that Allot does not read: a key that is given twice, deep nesting.
    func json(in text: String) throws(ImportProblem) -> JSONValue? {
        do {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
            if isJSON { throw problem("Allot does not read this JSON: \(error)") }
            return nil
        }
    }
}
