import AllotConfiguration

/// The attributes that were not given and that decisions rest on, found for one experiment after another. A check that
/// found an attribute missing could come out in another way, and is *open*. Where an open check refuses the unit, the
/// checks that follow are made too: if one of them refuses it whatever is missing, it is settled.
struct Openness {
    private let plan: Plan
    private let subject: Subject
    private(set) var decision: Decision?
    private var missing: Set<UTF8Key> = []
    private var isOpen = false
    /// Whether a check refuses the unit whatever is missing.
    private var isRefused = false
    /// Whether the unit may be one that the experiment forces, which no check after it refuses.
    private var canBeForced = false
    /// By test of a condition its result; `nil` if its attribute is missing.
    private var results: [Int: Bool?] = [:]
    private var known: [Int: Set<UTF8Key>] = [:]

    init(plan: Plan, subject: Subject) { (self.plan, self.subject) = (plan, subject) }

    mutating func begin() {
        decision = nil
        missing = []
        (isOpen, isRefused, canBeForced) = (false, false, false)
        results = [:]
    }

    // MARK: Checks

    /// A check that refuses the unit did not find the attribute of a unit ID: perhaps that of an experiment `forcing`
    /// units.
    mutating func failed(without attribute: String, forcing: Bool = false) {
        guard !subject.isGiven(attribute) else { return }
        missing.insert(UTF8Key(attribute))
        isOpen = true
        if forcing { canBeForced = true }
    }

    /// A check that lets the unit pass did not find the attribute of a unit ID.
    mutating func passed(without attribute: String) {
        if !subject.isGiven(attribute) { missing.insert(UTF8Key(attribute)) }
    }

    mutating func requirement(_ experiment: Int, isMet: Bool) {
        guard let others = known[experiment], !others.isEmpty else { return }
        missing.formUnion(others)
        if !isMet { isOpen = true }
    }

    mutating func audience(_ root: Int, matches: Bool) {
        var open: Set<UTF8Key> = []
        guard settled(root, &open) == nil else { return }
        missing.formUnion(open)
        if !matches { isOpen = true }
    }

    mutating func tested(_ node: Int, _ value: AttributeValue, holds: Bool) {
        let name = plan.compiled.conditions.nodes[node].attribute.map { plan.attributes.names[$0] }
        let isMissing = value.kind == .missing && !(name.map(subject.isGiven) ?? true)
        results.updateValue(isMissing ? nil : holds, forKey: node)
    }

    /// The result of a condition whatever the missing attributes are. Returns `nil` if it rests on them, and adds them:
    /// those of tests that can change it.
    private func settled(_ index: Int, _ missing: inout Set<UTF8Key>) -> Bool? {
        let node = plan.compiled.conditions.nodes[index]
        if node.kind.isTest {
            guard let result = results[index] else { return nil }
            if result == nil, let attribute = node.attribute {
                missing.insert(UTF8Key(plan.attributes.names[attribute]))
            }
            return result
        }
        if node.kind == .not { return settled(index + 1, &missing).map { !$0 } }
        let isAny = node.kind == .any
        var open: Set<UTF8Key> = []
        var isSettled = true
        var child = index + 1
        // An empty list holds.
        guard child < Int(node.end) else { return true }
        while child < Int(node.end) {
            let result = settled(child, &open)
            if result == isAny { return isAny }
            if result == nil { isSettled = false }
            child = Int(plan.compiled.conditions.nodes[child].end)
        }
        if isSettled { return !isAny }
        missing.formUnion(open)
        return nil
    }

    // MARK: Decisions

    /// Takes the decision of a check, or of the draw. Returns whether the checks that follow are made too.
    mutating func goesOn(after decision: Decision) -> Bool {
        self.decision = self.decision ?? decision
        defer { isOpen = false }
        if !isOpen, !canBeForced, decision.variant == nil { isRefused = true }
        return isOpen
    }

    /// The attributes that the decision on an experiment rests on, in the order of their bytes.
    mutating func end(_ experiment: Int) -> [String] {
        let result = isRefused ? [] : missing
        known[experiment] = result
        return result.sorted().map(\.text)
    }
}
