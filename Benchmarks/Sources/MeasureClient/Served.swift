import AllotClient
import AllotConfiguration

/// Configurations as servers send them.
enum Served {
    /// A configuration of about a number of bytes: 20 settings in each section, texts, numbers, booleans and objects.
    ///
    /// - Parameter version: differs in one value in each section from all others.
    static func body(bytes: Int, version: Int = 0) -> [UInt8] {
        var sections = JSONObject()
        var count = 0
        var body: [UInt8] = []
        while body.count < bytes {
            var settings = JSONObject()
            for index in 0..<20 {
                let value: JSONValue =
                    switch index % 4 {
                    case 0: .string("A text of the length that texts in configurations have, number \(index)")
                    case 1: .number(JSONNumber(index + version))
                    case 2: .boolean(index % 8 == 2)
                    default: ["red": 0.5, "green": 0.1, "blue": [1, 2, 3], "name": .string("colour \(index)")]
                    }
                settings["setting-\(index)"] = value
            }
            sections["Section\(count)"] = .object(settings)
            count += 1
            body = ConfigurationDocument(sections: sections, meta: [:]).canonicalBytes
        }
        return body
    }
}

/// A server that has another configuration at each request.
struct ChangingServer: Downloader {
    let bodies: [[UInt8]]
    private let next = Counter()

    init(_ bodies: [[UInt8]]) {
        self.bodies = bodies
    }

    func download(_ request: DownloadRequest) async -> DownloadAnswer {
        DownloadAnswer(body: bodies[await next.increment() % bodies.count])
    }

    private actor Counter {
        private var count = -1

        func increment() -> Int {
            count += 1
            return count
        }
    }
}
