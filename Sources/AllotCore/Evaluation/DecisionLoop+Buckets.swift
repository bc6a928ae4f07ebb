// The checks that read a unit's buckets under the experiment's hash.

extension DecisionLoop {
    /// Hashes one subject's unit under the hash of an experiment.
    @inline(__always) func hash(
        _ index: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ joined: borrowing JoinedUnits
    ) -> BucketPair {
        let source = compiled.experiments[index].unit
        let unit = unitValue(source, row: 0, values, joined)
        return source.attribute != nil ? hash(index, unit, bytes) : hash(index, unit, joined.bytes.span)
    }

    @inline(__always) private func hash(_ index: Int, _ unit: AttributeValue, _ bytes: Span<UInt8>) -> BucketPair {
        if compiled.experiments[index].drawsOneByOne { return drawOne(index, row: 0, unit, bytes) }
        return compiled.salts.span[index].buckets(of: bytes.extracting(unit.range))
    }

    /// The buckets of a valid unit in the window of the row's instant; or the number that another system's hash gives
    /// it, as both buckets. Not inlined: it is rare, and would take registers from the loop.
    @inline(never)
    private func drawOne(_ index: Int, row: Int, _ unit: AttributeValue, _ bytes: Span<UInt8>) -> BucketPair {
        if let hash = compiled.experiments[index].foreignHash {
            let number = self.number(hash, unit, bytes)
            return BucketPair(first: number, second: number)
        }
        let unitID = bytes.extracting(unit.range)
        guard let period = compiled.periods[index] else { return compiled.salts.span[index].buckets(of: unitID) }
        return period.buckets(of: unitID, under: compiled.salts.span[index], at: instant(of: row))
    }

    /// Hashes the units of the candidates, and makes the checks that read their buckets. Units under Allot's own hash
    /// wait for those of other experiments, because many at once take less time.
    @inline(__always) func hashUnits<R: Recorder>(
        _ left: Int, of index: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: inout Scratch,
        _ recorder: inout R
    ) {
        guard let unit = compiled.experiments[index].unit.attribute else {
            hashJoinedUnits(left, of: index, &scratch, &recorder)
            return
        }
        hashUnits(left, of: index, unit, values, stride: attributeCount, bytes, &scratch, &recorder)
    }

    /// Hashes the units of several attributes of the candidates.
    @inline(never) private func hashJoinedUnits<R: Recorder>(
        _ left: Int, of index: Int, _ scratch: inout Scratch, _ recorder: inout R
    ) {
        guard let composite = compiled.experiments[index].unit.composite else { return }
        let joined = scratch.joined
        hashUnits(
            left, of: index, composite, joined.values.span, stride: joined.count, joined.bytes.span, &scratch,
            &recorder)
    }

    /// Hashes the units that are at the place `unit` among the `stride` values of each row.
    @inline(__always) private func hashUnits<R: Recorder>(
        _ left: Int, of index: Int, _ unit: Int, _ values: Span<AttributeValue>, stride: Int, _ bytes: Span<UInt8>,
        _ scratch: inout Scratch, _ recorder: inout R
    ) {
        if compiled.experiments[index].drawsOneByOne {
            _ = settle(index, left, &scratch) { row, _ in
                draw(
                    compiled.experiments[index].bucketChecks, index, row: row,
                    drawOne(index, row: row, values[row &* stride &+ unit], bytes), &recorder)
            }
            return
        }
        if !scratch.draws.hasRoom(for: left) { draw(&scratch, &recorder) }
        scratch.draws.append(left, scratch.candidates, of: index, from: bytes, under: compiled.salts.span[index]) {
            // Without the loop itself, whose references would be counted.
            row in values[row &* stride &+ unit].range
        }
    }

    /// Hashes the unit of a subject that is decided by itself.
    @inline(never) func hashUnit<R: Recorder>(
        _ index: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: inout Scratch,
        _ recorder: inout R
    ) {
        if compiled.experiments[index].drawsOneByOne {
            scratch.decisions[index] = draw(
                compiled.experiments[index].bucketChecks, index, row: 0, hash(index, values, bytes, scratch.joined),
                &recorder)
            return
        }
        if !scratch.draws.hasRoom(for: 1) { draw(&scratch, &recorder) }
        let source = compiled.experiments[index].unit
        let unit = unitValue(source, row: 0, values, scratch.joined)
        if source.attribute != nil {
            scratch.draws.append(0, of: index, bytes.extracting(unit.range), under: compiled.salts.span[index])
        } else {
            let joined = scratch.joined
            scratch.draws.append(
                0, of: index, joined.bytes.span.extracting(unit.range), under: compiled.salts.span[index])
        }
    }

    /// Hashes the units that wait, and makes the checks that read their buckets.
    @inline(__always) func draw<R: Recorder>(_ scratch: inout Scratch, _ recorder: inout R) {
        scratch.draws.finish(into: &scratch.decisions, scratch.places) { index, firsts, seconds, variants in
            findVariants(index, firsts, seconds, &variants)
        } _: { index, row, buckets in
            draw(compiled.experiments[index].bucketChecks, index, row: row, buckets, &recorder)
        }
    }

    /// Makes the checks that read the buckets, for several units of one experiment. Returns `false` if they are to be
    /// made of one unit after another. The last check is made first: each takes the units to which it applies from the
    /// checks that follow it.
    @inline(__always) func findVariants(
        _ index: Int, _ firsts: Span<UInt32>, _ seconds: Span<UInt32>, _ variants: inout BucketedVariants
    ) -> Bool {
        let experiment = compiled.experiments[index]
        let owners = experiment.owners.positions
        guard owners.count <= BucketedVariants.mostOwners, let traffic = sharedTraffic(index, experiment) else {
            return false
        }
        func make(_ check: BucketCheck) {
            switch check {
            case .traffic: variants.enrol(traffic, firsts)
            case .split:
                variants.reset(seconds.count)
                for position in owners { variants.assign(compiled.owners[position], seconds) }
            }
        }
        if let check = experiment.bucketChecks.second { make(check) }
        if let check = experiment.bucketChecks.first { make(check) }
        return true
    }

    /// Makes the checks that read a unit's buckets.
    @inline(__always) func draw<R: Recorder>(
        _ checks: BucketChecks, _ index: Int, row: Int, _ buckets: BucketPair, _ recorder: inout R
    ) -> Decision {
        if let check = checks.first, let decision = make(check, index, row: row, buckets, &recorder) { return decision }
        if let check = checks.second, let decision = make(check, index, row: row, buckets, &recorder) {
            return decision
        }
        // Every experiment whose units are hashed has a split, which decides.
        return .none(.unallocated)
    }

    /// Makes a check that reads a unit's buckets. Returns `nil` if it leaves the decision to the checks that follow.
    @inline(__always) func make<R: Recorder>(
        _ check: BucketCheck, _ index: Int, row: Int, _ buckets: BucketPair, _ recorder: inout R
    ) -> Decision? {
        let experiment = compiled.experiments[index]
        switch check {
        case .traffic: return traffic(index, row: row, experiment, bucket: buckets.first, &recorder)
        case .split: return split(experiment, bucket: buckets.second, &recorder)
        }
    }

    /// Makes a check that reads buckets for a subject without a unit ID: without traffic no unit is enrolled, whatever
    /// the unit is.
    func makeWithoutUnit(_ check: BucketCheck, _ index: Int) -> Decision? {
        switch check {
        case .traffic: sharedTraffic(index, compiled.experiments[index]) == 0 ? .none(.traffic) : nil
        case .split: nil
        }
    }
}
