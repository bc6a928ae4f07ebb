import Testing

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

/// Expects that a store cannot be opened, with a message that has some texts and no password.
func expectCannotOpen(
    _ texts: String..., at location: SourceLocation = #_sourceLocation, _ open: () throws -> Void
) {
    let error = #expect(throws: ExposureStoreError.self, sourceLocation: location) { try open() }
    guard case .cannotOpen(let message)? = error else {
        Issue.record("\(String(describing: error))", sourceLocation: location)
        return
    }
    for text in texts { #expect(message.contains(text), sourceLocation: location) }
    #expect(!message.contains("secret"), sourceLocation: location)
}
