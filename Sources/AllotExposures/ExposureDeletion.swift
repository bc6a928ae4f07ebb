internal import AllotConfiguration

/// Which exposures are deleted: those for which all conditions hold that it has. `Sendable`.
///
/// ```swift
/// let store = try ExposureStore("allot.sqlite")
/// var deletion = ExposureDeletion(experiments: ["checkout"])
/// deletion.before = 1_795_262_400_000
/// for part in try await store.preview(of: deletion) { print(part.experiment, part.count) }
/// print(try await store.delete(deletion))
/// ```
public struct ExposureDeletion: Sendable, Hashable {
    /// The exposures of one experiment in a deletion. `Sendable`.
    public struct Part: Sendable, Hashable {
        /// The experiment's key.
        public let experiment: String
        /// The number of exposures, 1 or more: those that are counted and those that are not.
        public let count: Int
        /// The least ``Exposure/at`` of them, in milliseconds since 1970, UTC.
        public let earliest: Int64
        /// The greatest ``Exposure/at`` of them, in milliseconds since 1970, UTC.
        public let latest: Int64

        package init(experiment: String, count: Int, earliest: Int64, latest: Int64) {
            self.experiment = experiment
            self.count = count
            self.earliest = earliest
            self.latest = latest
        }
    }

    /// Only exposures to experiments with these keys; `nil` for all.
    public var experiments: [String]?
    /// Only exposures of this unit; `nil` for all.
    public var unit: String?
    /// Only exposures whose ``Exposure/at`` is before this time, in milliseconds since 1970, UTC; `nil` for all.
    public var before: Int64?
    /// Only exposures to these variants, as long as no definition has confirmed them; `nil` for all.
    package var unconfirmed: [ExposureArm]?

    private init() {}

    /// Every exposure of a store, unless conditions are added.
    public static let all = Self()

    /// The exposures to experiments.
    public init(experiments: [String]) { self.experiments = experiments }

    /// The exposures of a unit. ``ExposureStore/erase(unit:)`` leaves no bytes of them either.
    public init(unit: String) { self.unit = unit }

    /// The exposures whose ``Exposure/at`` is before a time, in milliseconds since 1970, UTC.
    public init(before: Int64) { self.before = before }

    package init(unconfirmed: [ExposureArm]) { self.unconfirmed = unconfirmed }
}

extension [ExposureDeletion.Part] {
    /// Adds up the parts of the same experiment, in the order of the experiments' bytes.
    package var summed: Self {
        let sums = Dictionary(map { (UTF8Key($0.experiment), $0) }) { sum, part in
            ExposureDeletion.Part(
                experiment: sum.experiment, count: sum.count + part.count,
                earliest: Swift.min(sum.earliest, part.earliest), latest: Swift.max(sum.latest, part.latest))
        }
        return sums.sorted { $0.key < $1.key }.map(\.value)
    }
}
