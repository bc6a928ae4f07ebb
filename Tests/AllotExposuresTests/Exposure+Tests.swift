@testable import AllotExposures

extension Exposure {
    /// An exposure of the experiment's default randomisation.
    init(id: String? = nil, unit: String, experiment: String, variant: String, at: Int64, attributes: String? = nil) {
        self.init(id: id, unit: unit, experiment: experiment, salt: experiment, variant: variant, at: at)
        self.attributes = attributes
    }
}

extension ExposureStore {
    /// The counted units of each variant.
    func units(of experiment: String) async throws -> [Int] {
        try await counts(experiment: experiment, salt: experiment).unitsByVariant.map(\.units)
    }
}
