import AllotFiles
import Foundation

/// Creating the file of this process, and taking over the files of processes that have ended.
extension ExposureJournal {
    /// The result of looking at the folder.
    struct Adoption {
        /// How many events of other processes were found.
        var count = 0
        var problems: [StoreError] = []
    }

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
                state.own = state.add(JournalFile(file: file, size: 0, waiting: 0, isTorn: false))
                state.creationProblem = nil
                state.isFolderChanged = true
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

    /// Takes over the files of processes that have ended. Complexity: O(*n*) in the size of these files.
    func adopt() -> Adoption {
        guard let folder else { return Adoption() }
        return adopting.withLock { _ in
            state.withLock { $0.isClosed } ? Adoption() : adopt(in: folder)
        }
    }

    private func adopt(in folder: String) -> Adoption {
        var adoption = Adoption()
        do throws(SystemError) {
            try DurableFolder(path: folder).create()
        } catch {
            adoption.problems.append(
                StoreError(
                    .unwritable,
                    "\(folder): exposures are not kept on disk (\(error)); give a folder that can be created"))
            return adoption
        }
        let known = state.withLock { state in Set(state.files.values.map(\.file.path)).union(state.unreadable) }
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
            adoption.problems.append(
                StoreError(
                    .corrupt,
                    "\(path): \(contents.damaged.count) of its lines are damaged, the first is line \(first); "
                        + "their exposures are lost"))
        }
        let isCut = contents.soundSize < bytes.count && file.truncate(to: contents.soundSize)
        let size = isCut ? contents.soundSize : bytes.count
        let isTorn = contents.lacksEnd || size > contents.soundSize
        adoption.count += state.withLock { state in
            guard !state.isClosed else { return 0 }
            let number = state.add(
                JournalFile(file: file, size: size, waiting: contents.waiting.count, isTorn: isTorn))
            for event in contents.waiting {
                state.entries.append(Entry(event, number))
                state.seen.noteWaiting(event.fingerprint)
            }
            if state.own == nil, size < JournalFile.sizeLimit {
                // Appended to from now on, so that an app that crashes often leaves one file and not many.
                state.own = number
                if contents.waiting.isEmpty { _ = state.files[number]?.clear() }
            } else if contents.waiting.isEmpty {
                file.remove()
                state.files[number] = nil
            }
            return contents.waiting.count
        }
    }
}
