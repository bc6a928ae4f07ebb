/// A section's settings as a type: each property names its setting once, beside its type, its default and what its values
/// must be.
///
///     struct CheckoutSettings: SettingsSection {
///         static let section = "Checkout"
///         @Setting("MaxItems", in: 1...100) var maxItems = 42
///         @Setting("Layout", choices: ["list", "grid"]) var layout = "list"
///     }
///
///     let checkout = configuration.settings(CheckoutSettings.self)
///     checkout.maxItems
///
/// Made without a configuration, as in `CheckoutSettings()`, it holds the defaults: for previews and tests.
///
/// A setting takes the values of the section that is being made. Therefore a section holds no other section, and neither its
/// initialiser nor the defaults of its properties make one, also not by a global or static constant that they are the first
/// to use: its settings would keep this snapshot's values of the wrong section. ``SettingsCatalog`` finds both.
public protocol SettingsSection: Sendable {
    /// The section's name in the configuration.
    static var section: String { get }

    /// Holds the defaults. It must do nothing else: a configuration calls it to fill in its values.
    init()
}
