import AllotFiles

import struct Foundation.Data

/// Downloads the files that the settings of a client name, each once, and keeps them in the client's store.
final class ConfigurationFiles: Sendable {
    typealias Request = SharedRequest<Data, ConfigurationFileError>

    @TaskLocal static var current: ConfigurationFiles?

    private let downloader: any Downloader
    private let stored: StoredFiles
    private let report: @Sendable (ConfigurationEvent) -> Void
    private let requests = Lock<[ConfigurationFile: Request]>([:])

    init(_ downloader: any Downloader, _ stored: StoredFiles, report: @escaping @Sendable (ConfigurationEvent) -> Void)
    {
        (self.downloader, self.stored, self.report) = (downloader, stored, report)
    }

    func data(of file: ConfigurationFile) async throws(ConfigurationFileError) -> Data {
        guard let checksum = file.checksum else {
            throw ConfigurationFileError(
                .withoutChecksum, file,
                "has no size and no SHA-256, so that nothing could verify its bytes; add both to the setting")
        }
        guard checksum.size <= FileStore.sizeLimit else {
            throw ConfigurationFileError(
                .tooLarge, file,
                "has \(checksum.size) bytes, and the limit is \(FileStore.sizeLimit); serve a smaller one")
        }
        let (request, place) = join(file, checksum)
        return try await request.response(place).get()
    }

    /// The request for a file, which may be in flight already, and a place for another caller.
    private func join(_ file: ConfigurationFile, _ checksum: FileChecksum) -> (Request, AsyncStream<Request.Response>) {
        requests.withLock { running in
            if let request = running[file], let place = request.join() { return (request, place) }
            let request = Request()
            guard let place = request.join() else { preconditionFailure("a new request has not ended") }
            running[file] = request
            request.start { [self] in
                let response = await fetch(file, checksum)
                requests.withLock { if $0[file] === request { $0[file] = nil } }
                return response
            }
            return (request, place)
        }
    }

    private func fetch(_ file: ConfigurationFile, _ checksum: FileChecksum) async -> Request.Response {
        var problems: [ConfigurationEvent] = []
        let known = stored.bytes(checksum, &problems)
        problems.forEach(report)
        if let known { return .success(Data(known)) }
        let origin = HTTPOrigin(file.url)?.description ?? "its URL"
        let bytes: [UInt8]
        do throws(RequestError) {
            bytes = try await downloader.downloadFile(at: file.url, limit: checksum.size)
        } catch {
            switch error.kind {
            case .cancelled: return .failure(.cancelled)
            case .tooLarge: return .failure(mismatch(file, "has more than \(checksum.size) bytes at \(origin)"))
            case .unreachable, .timedOut, .status, .malformed, .invalidRequest:
                return .failure(ConfigurationFileError(.notDownloaded(error), file, "was not downloaded: \(error)"))
            }
        }
        guard bytes.count == checksum.size else {
            return .failure(
                mismatch(file, "has \(bytes.count) bytes at \(origin), and its setting says \(checksum.size)"))
        }
        let sha256 = FileChecksum.sha256(bytes)
        guard sha256 == checksum.sha256 else {
            return .failure(
                mismatch(file, "has the SHA-256 \(sha256) at \(origin), and its setting says \(checksum.sha256)"))
        }
        stored.keep(bytes, checksum).forEach(report)
        return .success(Data(bytes))
    }

    private func mismatch(_ file: ConfigurationFile, _ problem: String) -> ConfigurationFileError {
        ConfigurationFileError(
            .mismatch, file, "\(problem); serve the file that the setting names, or correct its size and its SHA-256")
    }
}
