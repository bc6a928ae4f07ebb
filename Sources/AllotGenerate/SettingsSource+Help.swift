extension SettingsSource {
    /// The help of `allot generate swift`.
    package static let help = """
        The source has one type for each section of the base, with a typed property for each setting: its default \
        is the base value, its constraints are those of the base. It also has the keys and variants of the \
        experiments as constants, so that a tester can choose a variant on a device. If a setting is renamed or \
        removed, the app no longer compiles.

        The same definitions give the same bytes. --check is for continuous integration: it writes nothing and \
        exits with 1 if the file differs from the source that would be generated. A different revision alone does \
        not count, since experiments change more often than the part of them that an app can see.

        EXAMPLES
          allot generate swift --output Sources/App/ShopSettings.swift
          allot generate swift --check Sources/App/ShopSettings.swift
          allot generate swift --definitions Experiments --access public
        """
}
