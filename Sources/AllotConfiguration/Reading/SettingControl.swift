/// The control that edits a setting, as definitions name it. `Sendable`.
public enum SettingControl: String, Sendable, CaseIterable {
    /// On or off.
    case `switch`
    /// A position between the minimum and the maximum.
    case slider
    /// The value as text.
    case field
    /// One of the choices, the suggestions or the allowed values.
    case list
}
