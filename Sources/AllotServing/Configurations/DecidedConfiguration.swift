import AllotConfiguration
import AllotCore
import AllotSigning

/// The decisions for one request, from which its answer is made. `Sendable`.
package struct DecidedConfiguration: Sendable {
    private let active: ActivePlan
    private let decided: SubjectDecisions
    /// The header that names attributes of the request that no definition reads; `nil` if there are none.
    package let unread: String?
    private let key: SigningKey?
    /// `Cache-Control` of the answer if a boundary is near, so that it is not the usual one.
    package let ownCacheControl: String?
    private let usualCacheControl: String
    /// `ServiceHeader.boundary` of the answer; `nil` if there is no boundary.
    package let boundary: String?
    package let tag: EntityTag

    init(
        active: ActivePlan, decided: SubjectDecisions, unread: String?, key: SigningKey?, ownCacheControl: String?,
        usualCacheControl: String, boundary: String?
    ) {
        self.active = active
        self.decided = decided
        self.unread = unread
        self.key = key
        self.ownCacheControl = ownCacheControl
        self.usualCacheControl = usualCacheControl
        self.boundary = boundary
        tag = EntityTag(revision: active.plan.revision, fingerprint: decided.fingerprint)
    }

    /// Writes the configuration into memory that `room` provides, as `Plan.writeConfiguration(of:_:)`.
    package func write(_ room: (_ bound: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Void) {
        active.plan.writeConfiguration(of: decided, room)
    }

    /// The signature of the configuration's bytes. Returns `nil` if configurations are not signed.
    package func signature(of body: () -> [UInt8]) throws(RequestFailure) -> String? {
        guard let key else { return nil }
        do throws(SignatureError) {
            return try active.signatures.signature(of: decided.fingerprint, by: key, body)
        } catch {
            throw RequestFailure(.internalServerError, "the configuration cannot be signed: \(error.message)")
        }
    }

    func answer(ifNoneMatch: String?) throws(RequestFailure) -> HTTPAnswer {
        var headers = [
            ("Content-Type", "application/json"), ("Cache-Control", ownCacheControl ?? usualCacheControl),
            ("ETag", tag.header(isCompressed: false)),
        ]
        if let boundary { headers.append((ServiceHeader.boundary, boundary)) }
        if let unread { headers.append((ServiceHeader.unread, unread)) }
        if let ifNoneMatch, tag.matches(ifNoneMatch, isCompressed: false) {
            return HTTPAnswer(status: 304, headers: headers)
        }
        var answer = HTTPAnswer(headers: headers)
        write { bound, fill in
            answer.body = [UInt8](unsafeUninitializedCapacity: bound) { $1 = fill(UnsafeMutableRawBufferPointer($0)) }
        }
        if let signature = try signature(of: { answer.body }) {
            answer.headers.append((DetachedSignature.headerName, signature))
        }
        return answer
    }
}
