extension SampleRatioAnalysis {
    /// The help of `allot srm`.
    package static let help = """
        Do the variants have as many units as they should? If not (a sample ratio mismatch, SRM), something is \
        wrong with who was assigned or who was recorded, and no result can be trusted before it is found. The \
        input is a CSV file with a row for each unit, with counts, or an export of exposures. The shares are \
        those of the definitions, or given ones.

        TESTS
          ratio       chi-square, exact where few units are expected; a mismatch
                      is detected below p = 0.001, as is usual in the field
          sequential  a p-value that is valid at every look, with a Dirichlet
                      prior of 100 units in the expected shares
                      (Lindon and Malek 2022), for rows in the order of time
          where       the ratio within each value of the other columns and
                      of the attributes, with Holm's correction. Look at
                      what was known before the assignment: what a variant
                      changes differs between variants
          cause       Allot computes each assignment again:
                      recorded - expected = (recomputed - expected), who was
                      captured, + (recorded - recomputed), who was reassigned

        A unit counts once, in the variant of its first row. Forced units, winners, overrides and other salts do not \
        count. \
        Each revision of a definition is tested apart, against its own shares.

        EXIT STATUS
          0   no sign of a mismatch
          2   a sample ratio mismatch, or units with wrong variants, by any test:
              also by chance, in 0.1% of looks for each of them. In 30 daily
              looks at the ratio 1.0% of faultless experiments are reported;
              only the sequential test stays at 0.1%
          1   failure, such as a file that cannot be read
          64  a wrong command line

        EXAMPLES
          allot srm exposures.csv
          allot srm exposures.csv --experiment checkout-button --by country
          allot srm users.csv --shares control=50%,green=50%
          allot srm counts.csv --shares control=2,green=1 --json
          allot assign users.csv | allot srm - --experiment checkout-button
        """
}
