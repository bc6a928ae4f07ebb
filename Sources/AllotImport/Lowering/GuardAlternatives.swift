import AllotConfiguration
import AllotCore

/// Writes guards as lists of alternatives, each of which one experiment can say. `Sendable`.
struct GuardAlternatives: Sendable {
    var flags: [UTF8Key: LoweredFlag] = [:]

    /// The maximum number of alternatives of one guard; more would be definitions that are too long to read.
    static let limit = 64

    func alternatives(of condition: Guard, at path: PayloadPath) throws(ImportProblem) -> [Conjunction] {
        try Self.joined(alternatives(condition, isNegated: false, path))
    }

    private func alternatives(
        _ condition: Guard, isNegated: Bool, _ path: PayloadPath
    ) throws(ImportProblem) -> [Conjunction] {
        if let json = condition.json.map({ isNegated ? JSONValue.not($0) : $0 }) {
            return json == .never ? [] : [Conjunction(condition: json)]
        }
        switch condition {
        case .always, .never, .condition: return []  // Written as a condition above.
        case .not(let part): return try alternatives(part, isNegated: !isNegated, path)
        case .all(let parts) where !isNegated, .any(let parts) where isNegated:
            return try product(parts, isNegated: isNegated, path)
        case .all(let parts), .any(let parts):
            var found: [Conjunction] = []
            for part in parts { found += try alternatives(part, isNegated: isNegated, path) }
            return try Self.checked(Self.joined(found), path)
        case .draw(let draw, let buckets), .layer(_, let draw, let buckets):
            var part = Conjunction.DrawPart(draw: draw, buckets: buckets)
            if buckets.isEmpty { return isNegated ? [Conjunction()] : [] }
            if isNegated { return [Conjunction(refused: [part])] }
            if case .layer(let name, _, _) = condition { part.layer = name }
            return [Conjunction(draws: [part])]
        case .period(let starts, let ends): return Self.period(starts, ends, isNegated: isNegated)
        case .serves(let key, let arms, let orDefault):
            guard let flag = flags[UTF8Key(key)] else {
                throw ImportProblem(path, "the flag depends on \(QuotedText(key)), which the payload does not have")
            }
            return flag.alternatives(serving: arms, orDefault: orDefault, isNegated: isNegated)
        }
    }

    private func product(_ parts: [Guard], isNegated: Bool, _ path: PayloadPath) throws(ImportProblem) -> [Conjunction]
    {
        // Conditions are one part of each alternative, however many there are.
        var result = [Conjunction()]
        for part in parts {
            let others = try alternatives(part, isNegated: isNegated, path)
            result = try Self.checked(Self.joined(result.flatMap { left in others.compactMap { left.and($0) } }), path)
        }
        return result
    }

    private static func checked(_ found: [Conjunction], _ path: PayloadPath) throws(ImportProblem) -> [Conjunction] {
        guard found.count <= limit else {
            throw ImportProblem(
                path,
                "there are too many combinations of draws, schedules and other flags (more than \(limit) experiments "
                    + "for this rule)")
        }
        return found
    }

    private static func period(_ starts: Instant?, _ ends: Instant?, isNegated: Bool) -> [Conjunction] {
        if let starts, let ends, starts >= ends { return isNegated ? [Conjunction()] : [] }
        guard isNegated else { return [Conjunction(starts: starts, ends: ends)] }
        return (starts == nil ? [] : [Conjunction(ends: starts)]) + (ends == nil ? [] : [Conjunction(starts: ends)])
    }

    /// Alternatives that differ in their conditions only are one.
    private static func joined(_ alternatives: [Conjunction]) -> [Conjunction] {
        guard alternatives.count > 1 else { return alternatives }
        var positions: [Conjunction: Int] = [:]
        var result: [(rest: Conjunction, conditions: [JSONValue])] = []
        for alternative in alternatives {
            var rest = alternative
            rest.condition = .always
            if let position = positions[rest] {
                result[position].conditions.append(alternative.condition)
            } else {
                positions[rest] = result.count
                result.append((rest, [alternative.condition]))
            }
        }
        return result.map { rest, conditions in
            var alternative = rest
            alternative.condition = .any(conditions)
            return alternative
        }
    }
}
