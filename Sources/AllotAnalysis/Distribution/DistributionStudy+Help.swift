extension DistributionStudy {
    /// The help of `allot distribution`.
    package static let help = """
        Every unit ID goes through the salt of every experiment, layer and holdout, each by itself: status, \
        schedule, audience and gates play no part. Tested are the counts against the expected shares, the \
        uniformity of the buckets, every pair for independence, and A/A comparisons under many salts. All tests \
        are corrected for one another (Holm); the first line says whether anything is wrong.

        --hash tests the hash of another system with the experiments that have it; if none has, with all of them. \
        Without it, experiments with the hash of another system are left out, unless --experiment names only such \
        experiments.

        EXIT STATUS
          0   nothing is wrong
          2   something is wrong
          1   failure, or too few unit IDs for any test
          64  a wrong command line

        EXAMPLES
          allot distribution
          allot distribution --shape all --units 10000000 --html report.html
          allot distribution players.csv --unit-column player
          allot distribution --units 10000 --salts 10000 --json
          allot distribution --hash growthbook/1
        """
}
