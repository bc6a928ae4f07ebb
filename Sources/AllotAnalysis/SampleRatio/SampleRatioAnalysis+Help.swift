extension SampleRatioAnalysis {
    /// The help of `allot srm`.
    package static let help = """
        Do the variants have as many units as they should? If not (a sample ratio mismatch, SRM), something is \
        wrong with who was assigned or who was recorded, and no result can be trusted before it is found. The \
        input is a CSV file with a row for each unit, with counts, or an export of exposures. The shares are \
        those of the definitions, or given ones.

        TESTS
          ratio       chi-square, exact where few units are expected, for each
                      revision of the definition against its own shares, and for
                      all together; a mismatch is detected below p = 0.001
          sequential  a p-value that is valid at every look, with a Dirichlet
                      prior of 100 units in the expected shares
                      (Lindon and Malek 2022), for rows that have times
          in several  units in several variants of one revision
          returning   units that come back in a later revision (carry-over)
          where       the ratio within each day, each variant of the other
                      running experiments, and each value of the attributes
                      that the audience tests or --by names. Other columns may
                      be outcomes, which differ between variants anyway
          cause       Allot computes the variant of every row again, with the
                      definition of its revision, also from the history of Git:
                      recorded - expected = (recomputed - expected), who was
                      captured, + (recorded - recomputed), who was reassigned

        A unit counts once, in the variant of its earliest row, in whatever order the rows are. Forced units, winners, \
        overrides and other salts do not count.

        EXIT STATUS
          0   nothing is wrong
          2   a sample ratio mismatch; more units with wrong variants, or in
              several variants, than are tolerated; or carry-over. By chance,
              0.1% of looks for the ratio, 0.1% for all sequential tests, and
              0.1% for all others together, in practice less than 0.2%
          3   nothing is wrong, but units of another revision were not tested
          1   failure, such as a file that cannot be read
          64  a wrong command line

        EXAMPLES
          allot srm exposures.csv
          allot srm exposures.csv --experiment buy-button --by country
          allot srm exposures.csv --definitions v12..main
          allot srm visits.csv --shares control=50%,green=50%
          allot srm orders.csv --rows-are-units --shares 1:1
          allot srm counts.csv --shares control=2,green=1 --json
          allot assign users.csv | allot srm - --experiment buy-button
        """
}
