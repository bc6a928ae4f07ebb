/// Names of attributes, in which dots lead into objects: `address.city` is the member `city` of `address`.
package enum AttributePath {
    package static func leadsIntoObject(_ name: String) -> Bool { name.utf8.contains(UInt8(ascii: ".")) }

    /// The name of the attribute, and then those of the members in it. A name without a dot is the only part, and parts
    /// may be empty.
    package static func parts(of name: String) -> [String] {
        // By bytes, since a combining mark after a dot forms one character with it.
        name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
}
