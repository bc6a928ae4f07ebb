import AllotConfiguration
import Synchronization

/// The members that an importer has asked objects of a payload for, by kind of object. `Sendable`.
///
/// Objects that are reached in the same way are of one kind: all flags, all rules of flags. What none of a kind was
/// asked for is not known to the importer; the other system's next version may decide by it.
final class MemberLedger: Sendable {
    /// A step from an object or list to what is in it.
    enum Step: Hashable {
        /// A member that was asked for by its name.
        case member(UTF8Key)
        /// Any member of an object whose names are the payload's own.
        case entry
        case element
    }

    private struct Kind {
        var children: [Step: Int] = [:]
        /// The request; `nil` if nothing was.
        var asked: Set<UTF8Key>?
        var isMap = false
    }

    private let kinds = Mutex([Kind()])

    /// The kind of what is one step further.
    func kind(_ step: Step, from parent: Int) -> Int {
        kinds.withLock { kinds in
            if let kind = kinds[parent].children[step] { return kind }
            kinds.append(Kind())
            kinds[parent].children[step] = kinds.count - 1
            return kinds.count - 1
        }
    }

    /// Notes that an importer knows members of a kind of object.
    func know(_ members: some Sequence<String>, of kind: Int) {
        kinds.withLock { kinds in
            if kinds[kind].asked == nil { kinds[kind].asked = [] }
            for member in members { kinds[kind].asked?.insert(UTF8Key(member)) }
        }
    }

    /// Notes that an importer takes all members of a kind of object, whatever their names.
    func knowAll(of kind: Int) {
        kinds.withLock { $0[kind].isMap = true }
    }

    /// The known members of a kind of object: `nil` if it was taken as it is.
    fileprivate func known(of kind: Int) -> (isMap: Bool, asked: Set<UTF8Key>)? {
        kinds.withLock { kinds in
            kinds[kind].isMap || kinds[kind].asked != nil ? (kinds[kind].isMap, kinds[kind].asked ?? []) : nil
        }
    }

    fileprivate func existingKind(_ step: Step, from parent: Int) -> Int? {
        kinds.withLock { $0[parent].children[step] }
    }
}

extension MemberLedger {
    /// A member that no importer asked for, and how many objects of its kind have it.
    struct Unknown {
        let path: PayloadPath
        var count = 1
    }

    /// The unknown members in a payload, the first of each kind, in their order.
    ///
    /// - Parameters:
    ///   - others: The names of members that are known in all objects.
    ///   - skipped: The paths of parts that were not read to their end.
    func unknownMembers(
        of payload: JSONValue, besides others: Set<String>, skipping skipped: Set<PayloadPath>
    ) -> [Unknown] {
        var found: [Unknown] = []
        var positions: [[Step]: Int] = [:]
        func visit(_ value: JSONValue, _ path: PayloadPath, _ kind: Int, _ steps: [Step]) {
            guard !skipped.contains(path) else { return }
            func enter(_ value: JSONValue, _ path: PayloadPath, _ step: Step) {
                guard let child = existingKind(step, from: kind) else { return }
                visit(value, path, child, steps + [step])
            }
            switch value {
            case .object(let object):
                guard let known = known(of: kind) else { return }
                for element in object.members {
                    let (key, member) = (element.key, element.value)
                    let (path, name) = (path.appending(key: key), UTF8Key(key))
                    if known.isMap {
                        enter(member, path, .entry)
                    } else if known.asked.contains(name) {
                        enter(member, path, .member(name))
                    } else if !PayloadNode.annotations.contains(key), !others.contains(key) {
                        let place = steps + [.member(name)]
                        if let position = positions[place] {
                            found[position].count += 1
                        } else {
                            positions[place] = found.count
                            found.append(Unknown(path: path))
                        }
                    }
                }
            case .array(let elements):
                for (index, element) in elements.enumerated() { enter(element, path.appending(index: index), .element) }
            case .null, .boolean, .number, .string: return
            }
        }
        visit(payload, .root, 0, [])
        return found
    }
}
