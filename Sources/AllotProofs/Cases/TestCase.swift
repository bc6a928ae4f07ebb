import AllotConfiguration
import AllotCore
import AllotDefinitions

/// One case of a test file: units, instants, and claims about them.
struct TestCase: Sendable {
    /// Unique in its file.
    let name: String
    let place: Place
    let scope: Scope
    /// The product of `each`, a single one without it.
    let variations: [Variation]
    let claims: [Claim]
    /// More windows of periods than this, in all variations, are not gone through.
    static let windowLimit: Int64 = 100_000

    struct Place: Sendable {
        let file: String
        let position: SourcePosition
    }

    enum Scope: Sendable {
        /// One unit; attributes that are not given are missing.
        case unit
        /// Every unit; attributes that are not given may have any value.
        case everyUnit(UnitSet)
    }

    /// The units of a case without a unit ID.
    struct UnitSet: Sendable {
        var pins: [Pin] = []
        /// The attributes that they have, with any value.
        var given: Set<UTF8Key> = []
        var includesForced = false
    }

    /// The knowledge of one bucket of the units.
    enum Pin: Sendable {
        case bucket(BucketDimension, BucketSet)
        /// Whether the holdout with an index holds them out.
        case holdout(Int, isHeldOut: Bool)
    }

    /// One choice of attributes and instants.
    struct Variation: Sendable {
        /// The choice from `each`, `country=US`; empty without it.
        let label: String
        /// Unit IDs among them.
        let attributes: JSONObject
        let moments: Moments
    }

    enum Moments: Sendable {
        case at(Instant)
        /// From an instant until before another one.
        case during(Instant, Instant)

        /// The number of windows between the instants that experiments and those they require have.
        func windowCount(_ plan: Plan, deciding experiments: [Int]) -> Int64 {
            guard case .during(let start, let end) = self else { return 0 }
            return plan.order(of: experiments).reduce(0) { count, index in
                let schedule = plan.experiments[index].schedule
                guard let period = plan.experiments[index].draw?.period,
                    let first = period.number(at: max(start, schedule.starts ?? start)),
                    let last = period.number(at: min(end, schedule.ends ?? end))
                else { return count }
                return count + max(0, last - first)
            }
        }

        /// Instants at which some experiments make every decision of the period.
        func instants(_ plan: Plan, deciding experiments: [Int]) -> [Instant] {
            switch self {
            case .at(let instant): return [instant]
            case .during(let start, let end):
                var instants: Set<Instant> = []
                for experiment in plan.order(of: experiments).map({ plan.experiments[$0] }) {
                    let boundaries = experiment.boundaries.filter { start < $0 && $0 < end }
                    var windows: Set<Instant> = []
                    // The first window after a start begins there, which is a boundary.
                    for first in [start] + boundaries {
                        var next = experiment.nextWindow(after: first)
                        while let window = next, window < end, windows.insert(window).inserted {
                            next = experiment.nextWindow(after: window)
                        }
                    }
                    instants.formUnion(windows.union(boundaries))
                }
                return [start] + instants.sorted()
            }
        }
    }
}

/// Something that a case expects, with its place.
struct Claim: Sendable {
    let place: TestCase.Place
    let content: Content

    enum Content: Sendable {
        case decision(experiment: Int, Acceptance)
        case setting(section: String, name: String, JSONValue)
        /// The exact share of units that an experiment assigns a variant; `nil` for those without a variant.
        case share(experiment: Int, variant: Int?, StatedShare)
        /// The experiments of which no unit is assigned two variants.
        case exclusive([Int])
    }
}

/// The decisions that a case accepts for one experiment.
struct Acceptance: Sendable {
    /// Indices of variants, `nil` among them for none; `nil` for any.
    var variants: [Int?]?
    var refused: [Int?] = []
    /// `nil` for any.
    var reasons: [Reason]?
    var words: String

    func accepts(_ outcome: Decision) -> Bool {
        (variants?.contains(outcome.variant) ?? true) && !refused.contains(outcome.variant)
            && (reasons?.contains(outcome.reason) ?? true)
    }
}

extension Decision {
    /// The decision with names: `short-checkout is one-step (split)`.
    func text(_ experiment: Plan.Experiment) -> String {
        "\(experiment.key) is \(variant.map { experiment.variants[$0].key } ?? "none") (\(reason.text))"
    }
}

/// A share of units as it is written, exact with any number of decimals.
struct StatedShare: Sendable {
    let text: String
    let share: ExactShare
    static let form = "a share is text from 0% to 100% such as 12.5%, with as many decimals as it has"

    init?(_ text: String) {
        guard text.hasSuffix("%"), let number = JSONNumber(String(text.dropLast())) else { return nil }
        let parts = number.text.split(separator: ".", omittingEmptySubsequences: false)
        guard number.text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }), parts[0].count <= 3 else {
            return nil
        }
        let digits = String(parts[0]).leftPadded(to: 3, with: "0") + (parts.count > 1 ? parts[1] : "")
        guard digits.count <= 61 else { return nil }
        // The first digit is one of the whole, and each further one a tenth of the one before it.
        var (share, unit) = (ExactShare.none, ExactShare.all)
        for digit in digits.compactMap(\.wholeNumberValue) {
            share = share + unit.of(buckets: digit, resolution: 1)
            unit = unit.of(buckets: 1, resolution: 10)
        }
        guard share <= .all else { return nil }
        (self.text, self.share) = (text, share)
    }
}
