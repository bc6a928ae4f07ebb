extension Instant {
    /// The fault of a day, perhaps with a time, in another notation than RFC 3339's, and the instants that it can stand
    /// for: in `02/01/2027`, 1 February and 2 January. Returns `nil` for other text.
    static func faultOfOtherNotation(_ text: String) -> String? {
        let halves = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
        guard let day = halves.first, let separator = day.first(where: { "/.-".contains($0) }) else { return nil }
        let parts = day.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else { return nil }
        let days: [[String]] =
            switch (parts[0].utf8.count, parts[2].utf8.count, separator) {
            // 2027-02-01 has its own messages.
            case (4, _, "-") where day.utf8.count == 10: []
            case (4, _, _): [parts]
            case (_, 4, "."): [[parts[2], parts[1], parts[0]]]
            case (_, 4, _): [[parts[2], parts[0], parts[1]], [parts[2], parts[1], parts[0]]]
            default: []
            }
        var instants: [Instant] = []
        for day in days {
            let date = day.map { $0.leftPadded(to: 2, with: "0") }.joined(separator: "-")
            let start = halves.count > 1 ? "\(date)T\(halves[1])" : "\(date)T00:00:00"
            let found = ["", "Z", ":00Z"].lazy.compactMap { Instant(start + $0) }.first
            if let found, !instants.contains(found) { instants.append(found) }
        }
        guard !instants.isEmpty else { return nil }
        let readings = instants.map(\.description).joined(separator: " or ")
        return "is not an instant of RFC 3339; write \(readings)\(instants.count > 1 ? ", whichever is meant" : "")"
    }
}
