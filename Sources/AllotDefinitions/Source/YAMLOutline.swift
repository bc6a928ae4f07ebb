import AllotConfiguration

/// What must be known of YAML text before Yams is given it: what is refused, and where the keys stand. `Sendable`.
///
/// Yams replaces aliases by what they stand for, so that a few lines can grow without bound; it hashes and sorts lists
/// and maps used as keys, which can take exponential time, and texts used as keys, which takes quadratic time if they
/// consist of combining characters; and it recurses as deep as the text is nested. Here all of that is found without
/// Yams.
struct YAMLOutline: Sendable {
    /// A scalar used as a key, where a mark can be put that tells it from an equal key.
    struct Key: Sendable {
        /// Where it starts.
        let position: SourcePosition

        /// The column at which its text starts, behind the opening quote.
        let textColumn: Int

        /// The byte at which its text starts.
        let offset: Int
    }

    /// The deepest nesting of lists and maps.
    static let deepest = 100

    /// The most anchors and aliases for which the rest of the file is still read.
    private static let mostAliases = 1000

    /// A key whose colon is farther away than this gets no mark, since libyaml allows 1024 scalars and the mark needs
    /// some.
    private static let longestMarkedKey = 1000

    /// The longest key in scalars, as it is written: 1024 bytes of a unit ID can be 4 times as long with escapes.
    private static let longestKey = 4096

    /// The longest row of combining characters in a key; Unicode's Stream-Safe Text Format has the same limit.
    private static let mostCombining = 30

    /// What is not supported: anchors, tags, lists and maps as keys, a second document, too much nesting.
    private(set) var problems: ProblemList

    /// Whether Yams must not be given the text.
    private(set) var isRefused = false

    /// Whether the rest of the text is not worth reading.
    private var isTooMuch = false

    /// The aliases, in order.
    private(set) var aliases: [YAMLToken] = []

    /// The keys, in order.
    private(set) var keys: [Key] = []

    /// Whether a second document follows; nothing behind its `---` is known.
    private(set) var hasSecondDocument = false

    private var anchorNames: Set<[UInt8]> = []
    private var anchorCount = 0
    private var hasDocument = false

    /// For each open bracket, whether it is `{`.
    private var brackets: [Bool] = []

    /// Set behind `{`, `?` and, inside `{`, behind a comma: the next node is a key.
    private var isKeyNext = false

    /// The column of a `?` outside brackets whose key has not come yet or has just come.
    private var questionColumn: Int?

    /// Whether the last token was an anchor or a tag.
    private var isBehindProperty = false

    /// Where the lists and maps start that were refused as keys.
    private var refusedKeys: Set<SourcePosition> = []

    private var last: YAMLToken?

    /// Reads the outline of a text. Complexity: O(size of the text).
    init(_ text: SourceText, file: String) {
        problems = ProblemList(file: file)
        var scanner = YAMLScanner(text)
        while !isTooMuch, !hasSecondDocument, let token = scanner.next() {
            add(token, of: scanner)
            last = token
        }
    }
}

extension YAMLOutline {
    private mutating func add(_ token: YAMLToken, of scanner: YAMLScanner) {
        if scanner.depth > Self.deepest {
            problems.addError(Self.tooDeep, at: token.keyStart ?? token.position)
            (isRefused, isTooMuch) = (true, true)
            return
        }
        forgetQuestionMark(before: token)
        switch token.kind {
        case .directive: addDirective(token, bytes: scanner.bytes)
        case .documentStart: addDocumentStart(token)
        case .documentEnd: break
        case .listStart, .mapStart: addOpeningBracket(token)
        case .listEnd, .mapEnd:
            _ = brackets.popLast()
            isKeyNext = false
        case .comma: isKeyNext = brackets.last ?? false
        case .dash: addDash(token)
        case .questionMark: addQuestionMark(token)
        case .colon: addColon(token, bytes: scanner.bytes)
        case .alias: addAlias(token, bytes: scanner.bytes)
        case .anchor: addAnchor(token, bytes: scanner.bytes)
        case .tag: addTag(token)
        case .plain, .quoted, .block: addScalar(token, bytes: scanner.bytes)
        }
        switch token.kind {
        case .directive, .documentEnd, .documentStart: break
        case .anchor, .tag:
            (isBehindProperty, hasDocument) = (true, true)
        default:
            (isBehindProperty, hasDocument) = (false, true)
        }
    }

    /// Ends a `?` whose key cannot come any more: the token stands in front of its column, or at it where only a list
    /// or text after `|` or `>` could still be the key.
    private mutating func forgetQuestionMark(before token: YAMLToken) {
        guard let column = questionColumn, brackets.isEmpty, token.position.line != last?.position.line else { return }
        let canStandAtColumn = token.kind == .dash || token.kind == .block
        if token.position.column < column || (token.position.column == column && !canStandAtColumn) {
            questionColumn = nil
            isKeyNext = false
        }
    }

    private mutating func addOpeningBracket(_ token: YAMLToken) {
        if isKeyNext { refuseKey(at: token.position) }
        brackets.append(token.kind == .mapStart)
        isKeyNext = token.kind == .mapStart
    }

    private mutating func addDash(_ token: YAMLToken) {
        if isKeyNext, brackets.isEmpty { refuseKey(at: token.position) }
        isKeyNext = false
    }

    private mutating func addQuestionMark(_ token: YAMLToken) {
        if isKeyNext, brackets.isEmpty { refuseKey(at: token.position) }
        isKeyNext = true
        if brackets.isEmpty { questionColumn = token.position.column }
    }

    private mutating func addScalar(_ token: YAMLToken, bytes: [UInt8]) {
        if isKeyNext { addKey(token, bytes: bytes) }
        isKeyNext = false
    }

    /// Takes what stood in front of a colon as a key.
    private mutating func addColon(_ token: YAMLToken, bytes: [UInt8]) {
        defer {
            isKeyNext = false
            questionColumn = brackets.isEmpty ? nil : questionColumn
        }
        guard let keyStart = token.keyStart, let last else { return }
        if brackets.isEmpty, let questionColumn, keyStart.column > questionColumn {
            refuseKey(at: keyStart)
        }
        switch last.kind {
        case .listEnd, .mapEnd: refuseKey(at: keyStart)
        case .plain, .quoted, .alias:
            let isKnown = keys.last?.position == last.position
            let isTooLong = token.position.column - keyStart.column > Self.longestMarkedKey
            if isKnown, isTooLong { keys.removeLast() }
            if !isKnown { addKey(last, hasProperties: keyStart != last.position, isMarked: !isTooLong, bytes: bytes) }
        default: break
        }
    }

    private mutating func addKey(
        _ token: YAMLToken, hasProperties: Bool? = nil, isMarked: Bool = true, bytes: [UInt8]
    ) {
        if token.kind == .block {
            problems.addError("text after | or > cannot be a key; write the key on one line", at: token.position)
            isRefused = true
            return
        }
        checkText(of: token, bytes: bytes)
        guard isMarked, !(hasProperties ?? isBehindProperty) else { return }
        // A mark goes behind the opening quote, which Yams is given for an alias too.
        let quote = token.kind == .plain ? 0 : 1
        keys.append(
            Key(position: token.position, textColumn: token.position.column + quote, offset: token.start + quote))
    }

    /// Refuses a key that would take Yams long to hash.
    private mutating func checkText(of token: YAMLToken, bytes: [UInt8]) {
        let key = bytes[token.start..<token.end]
        guard key.count > Self.mostCombining else { return }
        var length = 0
        var combining = 0
        for scalar in String(decoding: key, as: UTF8.self).unicodeScalars {
            length += 1
            combining = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : combining + 1
            if length > Self.longestKey || combining > Self.mostCombining { break }
        }
        if combining > Self.mostCombining {
            problems.addError(
                "a key has more than \(Self.mostCombining) combining characters in a row; use fewer", at: token.position
            )
            isRefused = true
        } else if length > Self.longestKey {
            problems.addError(
                "a key has more than \(Self.longestKey) characters; make it shorter", at: token.position)
            isRefused = true
        }
    }
}

// MARK: - What is not supported

extension YAMLOutline {
    /// The message for anchors, and for aliases that Yams found.
    static let anchorMessage =
        "anchors and aliases (&name, *name) are not supported; write the value out, or use a segment"

    /// The message for a list or map as a key.
    static let keyMessage = "a list or map cannot be a key; put text that starts with [ or { in quotes"

    /// The message for nesting.
    static let tooDeep = "lists and maps are nested more than \(deepest) levels deep; make the value flatter"

    private mutating func refuseKey(at position: SourcePosition) {
        if refusedKeys.insert(position).inserted { problems.addError(Self.keyMessage, at: position) }
        isRefused = true
    }

    private mutating func addDirective(_ token: YAMLToken, bytes: [UInt8]) {
        if bytes[token.start..<token.end].starts(with: "%YAML ".utf8) { return }
        problems.addError(
            "a line that starts with % is a YAML directive, which is not supported; remove it, or put the text in "
                + "quotes", at: token.position)
        isRefused = true
    }

    private mutating func addDocumentStart(_ token: YAMLToken) {
        if hasDocument {
            problems.addError(
                "a second document starts here, and a file holds one; move it to a file of its own, or remove ---",
                at: token.position)
            hasSecondDocument = true
        }
        hasDocument = true
    }

    private mutating func addTag(_ token: YAMLToken) {
        problems.addError(
            "tags (!name) are not supported; put the value in quotes if it is text, or remove the tag",
            at: token.position)
    }

    private mutating func addAnchor(_ token: YAMLToken, bytes: [UInt8]) {
        problems.addError(Self.anchorMessage, at: token.position)
        anchorNames.insert(Array(bytes[(token.start + 1)..<token.end]))
        anchorCount += 1
        refuseIfTooManyAliases()
    }

    private mutating func addAlias(_ token: YAMLToken, bytes: [UInt8]) {
        if !anchorNames.contains(Array(bytes[(token.start + 1)..<token.end])) {
            problems.addError(
                "\(QuotedText(String(decoding: bytes[token.start..<token.end], as: UTF8.self))) is an alias, which is "
                    + "not supported; put text that starts with * in quotes", at: token.position)
        }
        aliases.append(token)
        if isKeyNext { addKey(token, bytes: bytes) }
        isKeyNext = false
        refuseIfTooManyAliases()
    }

    private mutating func refuseIfTooManyAliases() {
        if anchorCount + aliases.count > Self.mostAliases { (isRefused, isTooMuch) = (true, true) }
    }
}
