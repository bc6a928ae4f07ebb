/// The joint shares of what an experiment gives before and after.
struct TransitionTable {
    let transitions: [ExperimentMovement.Transition]

    /// Complexity: O(variants before × variants after), each an intersection of ranges.
    init(from old: Enrolment, to new: Enrolment) {
        var transitions: [ExperimentMovement.Transition] = []
        func append(_ from: String?, _ to: String?, _ share: ExactShare) {
            guard !share.isNone else { return }
            transitions.append(.init(from: from, to: to, share: share))
        }
        var entering = new.shares
        for (i, from) in old.regions.enumerated() {
            var leaving = old.shares[i]
            for (j, to) in new.regions.enumerated() {
                guard let from, let to else { continue }
                let share = from.intersection(to).share
                append(old.variants[i], new.variants[j], share)
                leaving = leaving - share
                entering[j] = entering[j] - share
            }
            append(old.variants[i], nil, leaving)
        }
        for (j, share) in entering.enumerated() { append(nil, new.variants[j], share) }
        self.transitions = transitions
    }
}
