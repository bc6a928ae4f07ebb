import Foundation
import Testing

@testable import AllotClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct HTTPFieldsTests {
    static func response(_ headers: [String: String]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        return try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: headers))
    }

    @Test(
        "Malformed dates are refused",
        arguments: [
            "", "soon", "-1", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "1994-11-06T08:49:37Z", "Sun, ٠6 Nov 1994 08:49:37 GMT",
        ])
    func malformedDatesAreRefused(text: String) throws {
        #expect(HTTPFields.date(text) == nil)
        #expect(HTTPFields.retryAfter(try Self.response(["Retry-After": text]), now: .now) == nil)
    }

    @Test("Retry-After dates are relative to the server's clock")
    func waitingIsReckonedByTheServersClock() throws {
        let year = 365.0 * 86_400
        let now = Date(timeIntervalSince1970: 784_111_777 + year)
        let later = ["Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT"]
        let date = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        #expect(HTTPFields.retryAfter(try Self.response(later.merging(date) { $1 }), now: now) == 60)
        #expect(HTTPFields.retryAfter(try Self.response(later), now: now) == 0)
        #expect(HTTPFields.retryAfter(try Self.response(["Retry-After": " 120 "]), now: now) == 120)
        let long = ["Retry-After": String(repeating: "9", count: 400)]
        #expect(HTTPFields.retryAfter(try Self.response(long), now: now) == 2_147_483_648)
        #expect(HTTPFields.retryAfter(try Self.response([:]), now: now) == nil)
    }

    @Test(
        "Freshness is max-age less Age, unless the response must not be cached",
        arguments: [
            ("max-age=60", nil, 60.0), ("private,MAX-AGE=60", nil, 60), ("max-age=\"60\", private", nil, 60),
            ("max-age=0", nil, 0), ("max-age=60, max-age=60", nil, 60), ("max-age=60, max-age=61", nil, nil),
            ("max-age=-1", nil, nil), ("max-age=", nil, nil), ("max-age", nil, nil), ("private", nil, nil),
            ("", nil, nil), ("no-store, max-age=60", nil, nil), ("max-age=60, no-cache", nil, nil),
            ("s-maxage=60", nil, nil), ("max-age=1.5", nil, nil), ("max-age=99999999999999999999", nil, 2_147_483_648),
            ("max-age=60", "20", 40), ("max-age=60", "90", 0), ("max-age=60", "x", 60),
        ] as [(String, String?, Double?)])
    func freshness(control: String, age: String?, seconds: Double?) throws {
        var headers = ["Cache-Control": control]
        headers["Age"] = age
        #expect(HTTPFields.freshness(try Self.response(headers)) == seconds)
    }

    @Test(
        "The time until the boundary is a number of whole seconds, less Age",
        arguments: [
            (["Allot-Boundary": "39597"], 39_597.0), (["allot-boundary": "0"], 0), (["Allot-Boundary": "-1"], nil),
            (["Allot-Boundary": "1.5"], nil), (["Allot-Boundary": ""], nil), (["Cache-Control": "max-age=60"], nil),
            (["Allot-Boundary": "60", "Age": "20"], 40), (["Allot-Boundary": "60", "Age": "90"], 0),
        ] as [([String: String], Double?)])
    func boundary(headers: [String: String], seconds: Double?) throws {
        #expect(HTTPFields.boundary(try Self.response(headers)) == seconds)
    }
}
