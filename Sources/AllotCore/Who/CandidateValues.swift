import AllotConfiguration

/// Values at and around the literals of tests, in search of one for each way in which tests can come out.
struct CandidateValues {
    private(set) var texts: [String] = ["other", "", "true", "false"]
    private(set) var numbers: [Double] = [0]
    private(set) var lists: [JSONValue] = [.array([])]
    private(set) var maps: [JSONValue] = [.object([:]), ["other": 1]]

    init(_ all: some Sequence<PassingValues>) {
        for values in all {
            for candidate in values.candidates?() ?? values.literals {
                switch candidate {
                case .string(let text): texts.append(text)
                case .number(let number): numbers.append(number.double)
                case .array: lists.append(candidate)
                case .object: maps.append(candidate)
                case .null, .boolean: break
                }
            }
        }
        let bounds = Set(numbers).sorted()
        // Far numbers beside near ones, because adding 1 changes no large number.
        numbers = bounds + zip(bounds, bounds.dropFirst()).map { $0 + ($1 - $0) / 2 }
        for bound in [bounds.first, bounds.last].compactMap({ $0 }) {
            numbers += [bound - 1, bound + 1, bound.nextDown, bound.nextUp].filter(\.isFinite)
        }
        texts += numbers.compactMap { JSONNumber($0)?.text }
        var seen: Set<UTF8Key> = []
        texts = texts.filter { seen.insert(UTF8Key($0)).inserted }
    }
}
