import Foundation
import Testing

@testable import AllotFiles

struct ProcessorsTests {
    @Test(
        "The allowed processors are the bits of the mask, and unknown without its line",
        arguments: [
            ("Cpus_allowed:\t3\n", 2), ("Name:\tx\nCpus_allowed:\tffffffff,0000000f\n", 36),
            ("Cpus_allowed_list:\t0-1\n", nil), ("Cpus_allowed:\t0\n", nil),
        ] as [(String, Int?)])
    func countsTheMask(status: String, count: Int?) {
        #expect(Processors.allowedCount(inStatus: status) == count)
    }

    @Test("The number of processors is at most the one that Foundation reports")
    func agreesWithFoundation() {
        #expect(Processors.availableCount == ProcessInfo.processInfo.activeProcessorCount)
    }
}
