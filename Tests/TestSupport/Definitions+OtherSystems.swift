import AllotCore

extension Definitions {
    /// The same definitions with other systems' hashes in some places, and their buckets at those systems' resolutions.
    package func withOtherSystems(
        _ random: inout SeededGenerator, _ schemes: [HashScheme] = Array(HashScheme.allCases.dropFirst())
    ) -> Definitions {
        var definitions = self
        definitions.layers = layers.map {
            LayerDefinition(name: $0.name, hash: $0.hash.perhapsOther(&random, schemes), unit: $0.unit)
        }
        definitions.holdouts = holdouts.map { holdout in
            let hash = holdout.hash.perhapsOther(&random, schemes)
            return HoldoutDefinition(
                name: holdout.name, hash: hash, unit: holdout.unit, share: hash.scaled(holdout.share),
                scope: holdout.scope)
        }
        for index in experiments.indices {
            var experiment = experiments[index]
            if let layer = definitions.layers.first(where: { $0.name == experiment.layer }) {
                experiment.slots = layer.hash.scaled(experiment.slots)
            }
            guard let hash = experiment.hash?.perhapsOther(&random, schemes) else { continue }
            experiment.draw?.hash = hash
            if hash.scheme != .sha256 { experiment.traffic = .constant(1_000_000) }
            experiment.variants = experiment.variants.map {
                VariantDefinition(
                    key: $0.key, buckets: hash.scaled($0.buckets), overrides: $0.overrides)
            }
            definitions.experiments[index] = experiment
        }
        return definitions
    }
}

extension UnitHash {
    fileprivate func perhapsOther(_ random: inout SeededGenerator, _ schemes: [HashScheme]) -> UnitHash {
        guard Int.random(in: 0..<3, using: &random) == 0 else { return self }
        let scheme = random.pick(schemes)
        let resolution = scheme.takesResolution ? Int.random(in: 1...2_000_000_000, using: &random) : nil
        return UnitHash(scheme, salt: salt + #": it's "any" \ text, ${x} $1 é😀"#, resolution: resolution) ?? self
    }

    fileprivate func scaled(_ bucket: Int) -> Int {
        Int(Int128(bucket) * Int128(resolution) / 1_000_000)
    }

    fileprivate func scaled(_ ranges: [Range<Int>]) -> [Range<Int>] {
        BucketSet(ranges.map { scaled($0.lowerBound)..<scaled($0.upperBound) }).ranges
    }
}
