extension ConfigurationClient {
    /// The whole configuration in force, and each that follows: an element for each change of a value, of an assignment, of
    /// another member of `meta`, or of the user.
    public func updates() -> ConfigurationUpdates<Configuration> {
        ConfigurationUpdates(hub) { $0 }
    }

    /// A section, and each that follows: an element for each change of a value in it, or of an assignment that sets one;
    /// `nil` while there is no such section.
    public func updates(of section: String) -> ConfigurationUpdates<ConfigurationSection?> {
        ConfigurationUpdates(hub) { $0.section(section) }
    }

    /// A setting, and each that follows: an element for each change of its value, or of an assignment that sets it.
    public func updates(of section: String, _ setting: String) -> ConfigurationUpdates<ConfigurationSetting> {
        ConfigurationUpdates(hub) { ConfigurationSetting($0, section, setting) }
    }

    /// The typed settings of a section, and each that follow: an element for each change of a value in the section, or of an
    /// assignment that sets one.
    public func updates<Section: SettingsSection>(of type: Section.Type) -> ConfigurationUpdates<Section> {
        ConfigurationUpdates(hub) {
            $0.settings(type)
        } isSame: {
            $0.section(type.section) == $1.section(type.section)
        }
    }
}
