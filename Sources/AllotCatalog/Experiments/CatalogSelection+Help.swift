extension CatalogSelection {
    /// The help of `allot list`.
    package static let help = """
        Several options select the experiments that satisfy all of them. Running are those that enrol units now; \
        scheduled and ended are those of status running whose start is to come, or whose end has passed.

        EXAMPLES
          allot list
          allot list --status running --owner payments@example.com
          allot list --setting Checkout.Steps --json
          allot list --sort next --at 2026-12-01T00:00:00Z
        """
}
