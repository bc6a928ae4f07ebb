import AllotFiles
import Foundation

extension ExposureJournal {
    typealias Adoption = (count: Int, problems: [StoreError])

    private static let prefix = "exposures-1-"
    private static let suffix = ".journal"

    /// Creates a file for this process. Returns what went wrong.
    func create(_ state: inout State) -> StoreError? {
        guard let folder else { return nil }
        var reason = SystemError(EBUSY)
        for _ in 0..<10 {
            let path = "\(folder)/\(Self.prefix)\(UUID().uuidString.lowercased())\(Self.suffix)"
            do throws(SystemError) {
                guard let file = try LockedFile(path, isNew: true, lock: lock) else { continue }
                state.own = JournalFile(file: file)
                state.creationProblem = nil
                state.isFolderChanged = true
                if state.own?.remember(state.seen.latest, isBase: true, write) == nil { state.seen.noteSaved() }
                return nil
            } catch {
                reason = error
                break
            }
        }
        let problem = StoreError(
            .unwritable,
            "\(folder): exposures are not kept on disk (\(reason)); give a folder that this app may write to")
        state.creationProblem = problem
        return problem
    }

    func adopt() -> Adoption {
        adopting.withLock { _ in
            guard let folder, !state.withLock({ $0.isClosed }) else { return (0, []) }
            return adopt(in: folder)
        }
    }

    private func adopt(in folder: String) -> Adoption {
        do throws(SystemError) {
            try DurableFolder(path: folder).create()
        } catch {
            let problem = "\(folder): exposures are not kept on disk (\(error)); give a folder that can be created"
            return (0, [StoreError(.unwritable, problem)])
        }
        var adoption: Adoption = (0, [])
        let known = state.withLock { state in
            state.unreadable.union(state.former.map(\.path)).union([state.own?.file.path].compactMap { $0 })
        }
        for name in DurableFolder(path: folder).names().sorted()
        where name.hasPrefix(Self.prefix) && name.hasSuffix(Self.suffix) {
            // Files for which there is no room now stay where they are.
            guard count < limit else { break }
            let path = "\(folder)/\(name)"
            if !known.contains(path) { adopt(path, &adoption) }
        }
        // Now, so that the first exposure need not wait for it.
        if let problem = state.withLock({ $0.isClosed || $0.own != nil ? nil : create(&$0) }) {
            adoption.problems.append(problem)
        }
        return adoption
    }

    private func adopt(_ path: String, _ adoption: inout Adoption) {
        let file: LockedFile
        let bytes: [UInt8]
        do throws(SystemError) {
            guard let locked = try LockedFile(path, isNew: false) else { return }
            file = locked
            bytes = try locked.descriptor.readToEnd() ?? []
        } catch {
            adoption.problems.append(StoreError(.unreadable, "\(path): its exposures cannot be sent (\(error))"))
            _ = state.withLock { $0.unreadable.insert(path) }
            return
        }
        let contents = JournalContents(bytes)
        if let first = contents.damaged.first {
            let damage = "\(contents.damaged.count) of its lines are damaged, the first is line \(first)"
            adoption.problems.append(StoreError(.corrupt, "\(path): \(damage); their exposures are lost"))
        }
        let isCut = contents.soundSize < bytes.count && file.truncate(to: contents.soundSize)
        let size = isCut ? contents.soundSize : bytes.count
        let isTorn = contents.lacksEnd || size > contents.soundSize
        adoption.count += state.withLock { state in
            guard !state.isClosed else { return 0 }
            // A process that ended while it copied events has left them in two files.
            let known = Set(state.entries.map(\.event.id))
            let waiting = contents.waiting.filter { !known.contains($0.id) }
            // Appended to from now on, so that an app that crashes often leaves one file and not many.
            let isOwn = state.own == nil
            if isOwn {
                state.own = JournalFile(
                    file: file, size: size, total: contents.total, waiting: waiting.count, isTorn: isTorn)
            } else {
                state.former.append(file)
                state.unwrittenCount += waiting.count
                _ = state.own?.remember(contents.sent, isBase: false, write)
            }
            for event in waiting {
                state.entries.append(Entry(event, isStored: isOwn))
                state.seen.noteWaiting(event.fingerprint)
            }
            for fingerprint in contents.sent { state.seen.remember(fingerprint) }
            return waiting.count
        }
    }
}
