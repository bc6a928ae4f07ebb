/// The members of a JSON object, sorted by the UTF-8 bytes of their names, each name once.
public struct JSONObject: Sendable, Hashable {
    /// One name and its value.
    public struct Member: Sendable, Hashable {
        /// The member's name; names are equal when their bytes are.
        public let key: String
        /// The member's value.
        public var value: JSONValue

        /// Creates a member.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }

        public static func == (left: Self, right: Self) -> Bool {
            UTF8Order.areEqual(left.key, right.key) && left.value == right.value
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(UTF8Key(key))
            hasher.combine(value)
        }
    }

    /// All members in order.
    public private(set) var members: [Member]

    /// An object without members.
    public init() {
        members = []
    }

    /// Collects members; of two with one name the later stays. Complexity: O(*n* log *n*), O(*n*) for sorted ones.
    public init(_ pairs: some Sequence<(key: String, value: JSONValue)>) {
        let pairs = Array(pairs)
        // What a program wrote is in order.
        if let ascending = Self(ascending: pairs) {
            self = ascending
            return
        }
        var sorted = pairs.enumerated().map {
            (offset: $0.offset, member: Member(key: $0.element.key, value: $0.element.value))
        }
        sorted.sort { left, right in
            UTF8Order.areEqual(left.member.key, right.member.key)
                ? left.offset < right.offset : UTF8Order.precedes(left.member.key, right.member.key)
        }
        members = []
        members.reserveCapacity(sorted.count)
        for (_, member) in sorted {
            if let last = members.last, UTF8Order.areEqual(last.key, member.key) { members.removeLast() }
            members.append(member)
        }
    }

    /// Takes members whose names ascend, each name once; `nil` for others. Complexity: O(*n*).
    package init?(ascending pairs: some Collection<(key: String, value: JSONValue)>) {
        members = []
        members.reserveCapacity(pairs.count)
        for pair in pairs {
            if let last = members.last, !UTF8Order.precedes(last.key, pair.key) { return nil }
            members.append(Member(key: pair.key, value: pair.value))
        }
    }

    /// The value under a name, `nil` if there is none; setting `nil` removes. Complexity: O(log *n*) to read.
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

    /// Whether there is no member.
    public var isEmpty: Bool {
        members.isEmpty
    }

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
