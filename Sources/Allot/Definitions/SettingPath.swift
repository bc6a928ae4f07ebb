import AllotConfiguration

/// Whether two experiments set the same thing.
package enum SettingPath {
    /// Two paths meet when one is the beginning of the other: setting an object sets its members.
    package static func overlap(_ left: [String], _ right: [String]) -> Bool {
        zip(left, right).allSatisfy { UTF8Order.areEqual($0, $1) }
    }

    /// A path as people write it: `Checkout.Layout.padding.top`.
    package static func text(_ path: [String]) -> String {
        path.joined(separator: ".")
    }
}
