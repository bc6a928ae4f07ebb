import AllotClient
import AllotConfiguration
import Configuration

/// The results of looking up a key, now and after each change; an element for each that differs from its predecessor.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct LookupUpdates: AsyncSequence, Sendable {
    typealias Element = Result<LookupResult, any Error>
    typealias Lookup = @Sendable (AllotClient.Configuration) throws(AllotProviderError) -> LookupResult

    let configurations: ConfigurationUpdates<AllotClient.Configuration>
    let path: SettingLocation?
    let lookUp: Lookup

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(updates: self, configurations: configurations.makeAsyncIterator())
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let updates: LookupUpdates
        var configurations: ConfigurationUpdates<AllotClient.Configuration>.AsyncIterator
        var read: AllotClient.Configuration?
        var last: Result<LookupResult, AllotProviderError>?

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while let configuration = await configurations.next(isolation: actor) {
                // A change elsewhere does not count as reading this setting.
                let isUnchanged = read.map { updates.path?.isSame(in: $0, configuration) ?? true } ?? false
                // Also for a setting that never changes: the first configuration must not be kept alive.
                read = configuration
                if isUnchanged { continue }
                let lookup = Result { () throws(AllotProviderError) in try updates.lookUp(configuration) }
                // If another variant now sets the same value, reading it above has reported that exposure.
                if let last, last.hasBytes(of: lookup) { continue }
                last = lookup
                return lookup.mapError { $0 }
            }
            return nil
        }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Result<LookupResult, AllotProviderError> {
    /// Whether two are equal, text by its bytes.
    fileprivate func hasBytes(of other: Self) -> Bool {
        guard case .success(let left) = self, case .success(let right) = other else { return self == other }
        return switch (left.value?.content, right.value?.content) {
        case (.string(let left), .string(let right)): UTF8Order.areEqual(left, right)
        case (.stringArray(let left), .stringArray(let right)): left.elementsEqual(right, by: UTF8Order.areEqual)
        default: left == right
        }
    }
}
