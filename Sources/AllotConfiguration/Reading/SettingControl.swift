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

/// The pictures at the two ends of a slider, as definitions name them. `Sendable`.
public enum SettingIcons: String, Sendable, CaseIterable {
    /// A tortoise and a hare.
    case speed
    /// An empty and a full battery.
    case capacity
    /// 0 and 1.
    case numeric
    /// A dim and a bright sun.
    case brightness
    /// A quiet and a loud speaker.
    case volume
}
