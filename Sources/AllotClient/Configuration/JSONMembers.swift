import AllotConfiguration

import struct Foundation.Date

extension JSONValue? {
    /// Whether two values are equal for an app: numbers are if their values are, however they are written.
    func isEquivalent(to other: JSONValue?) -> Bool {
        switch (self, other) {
        case (let left?, let right?): left.isEquivalent(to: right)
        default: self == other
        }
    }
}

extension JSONObject {
    func isEquivalent(to other: JSONObject) -> Bool { JSONValue.object(self).isEquivalent(to: .object(other)) }
    package func text(_ name: String) -> String? { self[name]?.text }
    func texts(_ name: String) -> [String]? { self[name]?.asArray?.compactMap(\.text) }

    /// The whole number under a name, written without fraction and exponent. Returns `nil` for any other value.
    func integer<Integer: FixedWidthInteger>(_ name: String) -> Integer? {
        self[name]?.asNumber.flatMap { Integer($0.text) }
    }

    func date(_ name: String) -> Date? {
        (integer(name) as Int64?).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    /// The settings of an object of sections, in the order of the names.
    var settings: [(section: String, setting: String, value: JSONValue)] {
        members.flatMap { section in
            (section.value.asObject?.members ?? []).map { (section.key, $0.key, $0.value) }
        }
    }
}

extension Date {
    /// Milliseconds since 1970; the nearest possible number for times beyond all calendars.
    var milliseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? (timeIntervalSince1970 < 0 ? .min : .max)
    }
}
