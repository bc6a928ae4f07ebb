import AllotConfiguration

/// Paths of settings: section, setting, and members of object values.
package enum SettingPath {
    /// Whether one path is the beginning of the other: setting an object sets its members.
    package static func overlap(_ left: [String], _ right: [String]) -> Bool {
        zip(left, right).allSatisfy { UTF8Order.areEqual($0, $1) }
    }

    /// A path as people write it: `Checkout.Layout.padding.top`.
    package static func text(_ path: [String]) -> String {
        path.joined(separator: ".")
    }
}
