public import AllotConfiguration

extension Optional: SettingValue where Wrapped: SettingValue {
    public static var expectation: String { "\(Wrapped.expectation), or null" }

    /// Takes null, which is `nil`, and what the type takes that it wraps.
    public init(strict json: JSONValue) throws(SettingValueError) {
        self = json == .null ? .none : .some(try Wrapped(strict: json))
    }

    /// Takes null, which is `nil`, and what the type takes leniently that it wraps.
    public init?(lenient json: JSONValue) {
        if json == .null {
            self = .none
        } else if let wrapped = Wrapped(lenient: json) {
            self = .some(wrapped)
        } else {
            return nil
        }
    }

    public var json: JSONValue { self?.json ?? .null }
}

extension Array: SettingValue where Element: SettingValue {
    public static var expectation: String { "an array with, for each element, \(Element.expectation)" }

    /// Takes arrays whose elements all are what they should be.
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard case .array(let values) = json else {
            throw SettingValueError(expected: Self.expectation, found: json)
        }
        self = []
        reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do throws(SettingValueError) {
                append(try Element(strict: value))
            } catch {
                throw error.inside(.element(index))
            }
        }
    }

    /// Takes arrays whose elements all can be taken leniently: none is left out.
    public init?(lenient json: JSONValue) {
        guard case .array(let values) = json else { return nil }
        self = []
        reserveCapacity(values.count)
        for value in values {
            guard let element = Element(lenient: value) else { return nil }
            append(element)
        }
    }

    public var json: JSONValue { .array(map(\.json)) }
}

extension Dictionary: SettingValue where Key == String, Value: SettingValue {
    public static var expectation: String { "an object with, for each member, \(Value.expectation)" }

    /// Takes objects whose members all are what they should be, and whose names Swift can tell apart.
    ///
    /// JSON has two names where the bytes differ, Swift where the characters do; `JSONObject` keeps all.
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard case .object(let object) = json else {
            throw SettingValueError(expected: Self.expectation, found: json)
        }
        self.init(minimumCapacity: object.members.count)
        for member in object.members {
            do throws(SettingValueError) {
                guard updateValue(try Value(strict: member.value), forKey: member.key) == nil else {
                    throw SettingValueError(
                        expected: "one member of this name (another is canonically equivalent)", found: member.value)
                }
            } catch {
                throw error.inside(.member(member.key))
            }
        }
    }

    /// Takes objects whose members all can be taken leniently: none is left out.
    public init?(lenient json: JSONValue) {
        guard case .object(let object) = json else { return nil }
        self.init(minimumCapacity: object.members.count)
        for member in object.members {
            guard let value = Value(lenient: member.value), updateValue(value, forKey: member.key) == nil else {
                return nil
            }
        }
    }

    public var json: JSONValue { .object(JSONObject(map { ($0.key, $0.value.json) })) }
}
