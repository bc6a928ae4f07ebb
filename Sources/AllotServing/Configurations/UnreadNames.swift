import AllotConfiguration
import AllotCore

/// Writes the header that names the attributes of a request that no definition reads, with the name that is probably
/// meant: a list of strings as in RFC 9651, `"plattform";meant="platform"`. Hints are kept. `Sendable`.
struct UnreadNames: Sendable {
    private let plan: Plan
    /// By name its hint; `nil` for names that definitions read.
    private var known: [UTF8Key: UnreadAttribute?] = [:]
    static let limit = 5
    private static let nameLength = 64
    private static let capacity = 256
    init(_ plan: Plan) { self.plan = plan }

    /// The value of the header for the first of some attributes. Returns `nil` if definitions read all of them.
    mutating func header(_ names: some Sequence<String>, isGiven: (String) -> Bool) -> String? {
        var items: [String] = []
        for name in names {
            guard let unread = attribute(name) else { continue }
            let hint = unread.meant.flatMap { isGiven($0) ? nil : ";meant=\(Self.quoted($0))" }
            items.append(Self.quoted(name) + (hint ?? ""))
            if items.count == Self.limit { break }
        }
        return items.isEmpty ? nil : items.joined(separator: ", ")
    }

    private mutating func attribute(_ name: String) -> UnreadAttribute? {
        if let found = known[UTF8Key(name)] { return found }
        let unread = plan.unreadAttribute(name) { _ in false }
        guard name.utf8.count <= Self.nameLength else { return unread }
        if known.count >= Self.capacity { known.removeAll() }
        known.updateValue(unread, forKey: UTF8Key(name))
        return unread
    }

    private static func quoted(_ name: String) -> String {
        let start = String(decoding: name.utf8.prefix(nameLength), as: UTF8.self)
        return "\"\(start.percentEncoded(keeping: \.isUnreservedInURI))\""
    }
}
