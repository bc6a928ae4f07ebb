import AllotCore

extension Plan {
    /// The plan in which an experiment runs from the beginning of time and enrols every unit that its audience, layer,
    /// holdouts and requirements admit: those that the real one will enrol a share of.
    func admittingAll(of experiment: Int) -> Plan {
        var definitions = definitions
        let resolution = experiments[experiment].hash?.resolution ?? Bucketing.bucketCount
        definitions.experiments[experiment].status = .running
        definitions.experiments[experiment].winner = nil
        definitions.experiments[experiment].draw?.period = nil
        definitions.experiments[experiment].starts = nil
        definitions.experiments[experiment].ends = nil
        definitions.experiments[experiment].traffic = .constant(Bucketing.bucketCount)
        definitions.experiments[experiment].variants = experiments[experiment].variants.enumerated().map {
            VariantDefinition(
                key: $1.key, buckets: $0 == 0 ? [0..<resolution] : [], overrides: $1.overrides,
                description: $1.description)
        }
        return Plan(definitions)
    }
}
