import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPTransferSession {
    /// Asks once and waits for all of the answer.
    ///
    /// - Parameters:
    ///   - origin: the server, for messages.
    ///   - limit: the most bytes of a body of status 200.
    ///   - timeout: how long the whole answer may take.
    func answer(
        _ request: URLRequest, origin: String, limit: Int, timeout: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) async throws(DownloadError) -> HTTPAnswer {
        var request = request
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.httpShouldHandleCookies = false
        // The deadline below is for all of the answer; the system's is for each part.
        request.timeoutInterval = max(timeout / .seconds(1), 0.001)
        let transfer = DownloadTransfer(origin: origin, limit: limit)
        let deadline = Task {
            try await sleep(timeout)
            transfer.fail(DownloadError(.timedOut, "\(origin) did not answer within \(timeout); ask again later"))
        }
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            await transfer.answer { [request] in task(request, transfer) }
        } onCancel: {
            transfer.fail(DownloadError(.cancelled, "the request was cancelled"))
        }.get()
    }
}
