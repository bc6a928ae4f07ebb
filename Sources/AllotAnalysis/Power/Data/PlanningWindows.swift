import AllotConfiguration
import AllotCore
import AllotReports

/// The windows of units in the data of an experiment with a period. Each window of a unit is a cluster of rows.
///
/// Rows from before the period are in the windows that it would have had. Windows are then numbered as if the period
/// had begun an even number of windows earlier, in the pair of the first row.
struct PlanningWindows: Sendable {
    /// The groups of both windows of a pair.
    struct Pair: Sendable {
        let even: Int
        let odd: Int
    }

    /// A window of a unit, by the unit's number and that of the window, which is below 0 before the period.
    private struct Place: Hashable {
        let unit: Int
        let window: Int64

        /// The other window of the pair.
        var partner: Place { Place(unit: unit, window: window ^ 1) }
    }

    private let period: Period
    /// The seconds at the start of a window whose rows do not count.
    private let washout: Int64
    private(set) var washedOutCount = 0
    private var numberOf: [Place: Int] = [:]
    private var places: [Place] = []

    init(_ period: Period, washout: Int64) { (self.period, self.washout) = (period, washout) }

    /// The number of the window at an instant. Returns `nil`, and counts, within the washout.
    mutating func window(at instant: Instant) -> Int64? {
        let borrowed: Int64 = instant.nanoseconds < period.from.nanoseconds ? 1 : 0
        let (window, passed) = (instant.seconds - period.from.seconds - borrowed)
            .flooredQuotientAndRemainder(dividingBy: period.seconds)
        guard passed < washout else { return window }
        washedOutCount += 1
        return nil
    }

    /// The cluster of a window of a unit.
    mutating func cluster(ofUnit unit: Int, window: Int64) -> Int {
        let place = Place(unit: unit, window: window)
        if let known = numberOf[place] { return known }
        numberOf[place] = places.count
        places.append(place)
        return places.count - 1
    }

    /// By cluster the text that is hashed after the salt.
    func ids(of units: UnitBlock) -> UnitBlock {
        let first = places.reduce(0) { min($0, $1.window & ~1) }
        var block = UnitBlock()
        for place in places {
            let number = period.hashedNumber(of: place.window - first)
            block.append(units.bytes[units[place.unit]] + Array("@\(number)".utf8))
        }
        return block
    }

    /// The rows of complete pairs, and the number of the other windows. A period that is not balanced has no pairs.
    func complete(_ rows: [Int], clusters: [Int]) -> (rows: [Int], unmatchedCount: Int) {
        guard period.isBalanced else { return (rows, 0) }
        let present = Set(rows.map { places[clusters[$0]] })
        return (
            rows.filter { present.contains(places[clusters[$0]].partner) },
            present.count { !present.contains($0.partner) }
        )
    }

    /// The pairs of groups, by the clusters of these; `nil` if the period is not balanced.
    func pairs(clusters: [Int]) -> [Pair]? {
        guard period.isBalanced else { return nil }
        var groupOf: [Place: Int] = [:]
        for (group, cluster) in clusters.enumerated() { groupOf[places[cluster]] = group }
        return clusters.enumerated().compactMap { group, cluster in
            guard places[cluster].window & 1 == 0 else { return nil }
            return groupOf[places[cluster].partner].map { Pair(even: group, odd: $0) }
        }
    }

    /// Sentences on how windows are analysed, and on what is left out of them.
    func notes(unmatchedCount: Int) -> [String] {
        var notes = [
            period.isBalanced
                ? "The two windows of a pair are randomised together, so that pairs are analysed: the difference "
                    + "within each, and the variance of these differences."
                : "Each window of a unit is randomised anew, so that windows are analysed, as clusters of their rows.",
            "Serial correlation between \(period.isBalanced ? "pairs" : "windows") is not in the formula; a replay "
                + "has that of the data. Effects that last beyond the washout are in neither.",
        ]
        if washedOutCount > 0 {
            notes.append(
                "\(NumberFormat.countedInGroups(washedOutCount, "row")) left out in the washout, the first "
                    + "\(TimeSpan.text(ofSeconds: washout)) of each window.")
        }
        if unmatchedCount > 0 {
            notes.append(
                "\(NumberFormat.countedInGroups(unmatchedCount, "window")) left out without a row in the other window "
                    + "of the pair.")
        }
        return notes
    }
}
