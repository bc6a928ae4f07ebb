import AllotConfiguration
import Testing

@testable import AllotExposures

extension Exposure {
    /// An exposure of the experiment's default randomisation.
    init(
        _ unit: String = "u", experiment: String = "e", variant: String = "v", at: Int64 = 0, id: String? = nil,
        reason: String = "split", revision: String? = nil, attributes: String? = nil,
        confirmation: Confirmation = .whole
    ) {
        self.init(
            id: id, unit: unit, experiment: experiment, salt: experiment, variant: variant, reason: reason, at: at)
        (self.revision, self.attributes, self.confirmation) = (revision, attributes, confirmation)
    }
}

extension ExposureCounts {
    /// The counted units of each variant that has any, in the order of the variants' bytes.
    var unitsByVariant: [Int] { groups.filter(\.isCounted).units.sorted { $0.key < $1.key }.map(\.value) }
}

extension ExposureStore {
    func units(of experiment: String) async throws -> [Int] {
        try await counts(experiment: experiment, salt: experiment).unitsByVariant
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
