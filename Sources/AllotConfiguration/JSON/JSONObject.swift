/// The members of a JSON object, sorted by the UTF-8 bytes of their names, each name once. `Sendable`.
///
/// ```swift
/// var attributes: JSONObject = ["country": "DE", "seats": 12]
/// attributes["plan"] = "team"
/// print(attributes.members.map(\.key))  // ["country", "plan", "seats"]
/// ```
public struct JSONObject: Sendable, Hashable {
    /// A name and its value. `Sendable`.
    public struct Member: Sendable, Hashable {
        /// The member's name; names are compared by their bytes.
        public let key: String
        /// The member's value.
        public var value: JSONValue

        /// Compares names by their bytes.
        public static func == (left: Self, right: Self) -> Bool {
            UTF8Order.areEqual(left.key, right.key) && left.value == right.value
        }

        /// Hashes the name by its bytes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(UTF8Key(key))
            hasher.combine(value)
        }
    }

    /// All members in the order of their names.
    public private(set) var members: [Member]

    /// An object without members.
    public init() { members = [] }

    /// Creates an object; if a name occurs twice, the last value wins. Complexity: O(*n* log *n*), O(*n*) if sorted.
    public init(_ pairs: some Sequence<(key: String, value: JSONValue)>) {
        let pairs = Array(pairs)
        // Programs usually write members in order.
        if let ascending = Self(ascending: pairs) {
            self = ascending
            return
        }
        members = []
        members.reserveCapacity(pairs.count)
        // The sort of the standard library is stable, so the last of equal names comes last.
        for pair in pairs.sorted(by: { UTF8Order.precedes($0.key, $1.key) }) {
            if let last = members.last, UTF8Order.areEqual(last.key, pair.key) { members.removeLast() }
            members.append(Member(key: pair.key, value: pair.value))
        }
    }

    /// Creates an object of members whose names ascend. Returns `nil` if they do not. Complexity: O(*n*).
    package init?(ascending pairs: some Collection<(key: String, value: JSONValue)>) {
        members = []
        members.reserveCapacity(pairs.count)
        for pair in pairs {
            if let last = members.last, !UTF8Order.precedes(last.key, pair.key) { return nil }
            members.append(Member(key: pair.key, value: pair.value))
        }
    }

    /// The members of a result, each as its type is in JSON; null for `nil`.
    package init(members: KeyValuePairs<String, any SettingValue>) {
        self.init(members.map { (key: $0.key, value: $0.value.json) })
    }

    /// The value of a name, or `nil` if it does not exist; setting `nil` removes it. Complexity: O(log *n*) to read.
    public subscript(key: String) -> JSONValue? {
        get {
            let index = position(of: key)
            guard index < members.count, UTF8Order.areEqual(members[index].key, key) else { return nil }
            return members[index].value
        }
        set {
            let index = position(of: key)
            let exists = index < members.count && UTF8Order.areEqual(members[index].key, key)
            switch (newValue, exists) {
            case (let value?, true): members[index].value = value
            case (let value?, false): members.insert(Member(key: key, value: value), at: index)
            case (nil, true): members.remove(at: index)
            case (nil, false): break
            }
        }
    }

    /// Whether the object has no members.
    public var isEmpty: Bool { members.isEmpty }

    private func position(of key: String) -> Int {
        UTF8Order.position(of: key, among: members.count) { members[$0].key }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// `["a": 1, "b": [true]]`
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { (key: $0.0, value: $0.1) })
    }
}
