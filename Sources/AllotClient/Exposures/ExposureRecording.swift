/// Takes the exposures that reading a configuration brings about.
protocol ExposureRecording: Sendable {
    /// Whether reading a setting is an exposure to the experiments that set it.
    var recordsOnReading: Bool { get }

    /// Keeps an exposure; called at most once for each assignment of a snapshot. It must be quick, since a reader waits.
    func record(_ assignment: Assignment, in configuration: Configuration)
}
