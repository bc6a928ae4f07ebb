import AllotCore

extension Plan {
    /// The plan in which an experiment runs from the beginning of time and enrols every unit that its audience, layer,
    /// holdouts and requirements admit: those that the real one will enrol a share of.
    func admittingAll(of experiment: Int) -> Plan {
        var definitions = definitions
        var open = definitions.experiments[experiment]
        let resolution = experiments[experiment].hash?.resolution ?? Bucketing.bucketCount
        (open.status, open.winner, open.starts, open.ends) = (.running, nil, nil, nil)
        open.draw?.period = nil
        open.traffic = .constant(Bucketing.bucketCount)
        open.variants = experiments[experiment].variants.enumerated().map {
            let buckets = $0 == 0 ? [0..<resolution] : []
            return VariantDefinition(
                key: $1.key, buckets: buckets, overrides: $1.overrides, description: $1.description)
        }
        definitions.experiments[experiment] = open
        return Plan(definitions)
    }
}
