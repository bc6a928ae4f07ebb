internal import CSHA256Lanes

// In a plan of many experiments what one decision reads is in none of the processor's caches. Fetched one after
// another, because each place follows from the one before, that would take longer than all hashes of the decision.

extension Array {
    @inline(__always) func prefetch(_ index: Int) {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            let element = start + index &* MemoryLayout<Element>.stride
            allot_prefetch(element)
            // An element may begin at the end of a cache line.
            if MemoryLayout<Element>.stride > 32 { allot_prefetch(element + (MemoryLayout<Element>.stride &- 1)) }
        }
    }
}

extension Pool {
    @inline(__always) fileprivate func prefetch(_ part: Part) {
        if !part.isEmpty { elements.prefetch(part.positions.lowerBound) }
    }
}

extension CompiledPlan {
    /// Starts to fetch what deciding one experiment reads at the end, while its first checks are made.
    @inline(__always) func prefetch(_ index: Int) {
        experiments.prefetch(index)
        salts.prefetch(index)
        let experiment = experiments.span[index]
        if let slots = experiment.slots { self.slots.prefetch(slots.slots) }
        owners.prefetch(experiment.owners)
        if let root = experiment.audience { conditions.pools.nodes.prefetch(Int(root)) }
        if experiment.checks.contains(.schedule) { schedules.prefetch(index) }
    }
}
