/// The help of `allot test`.
package enum TestHelp {
    /// What test files say and what the command does.
    package static let discussion = """
        Runs the cases of all files in the sub-folder "tests" of the definitions. A case with a unit states what this \
        unit gets. A case without one states something about every unit, and is proved from ranges of buckets and \
        conditions, not sampled; attributes that it does not give may have any value. What can be neither proved nor \
        refuted is "unproved", and does not pass. The article "Testing definitions" has all keys of a file.

        Exits with 0 if all cases pass; with 1 if a file is wrong; with 2 if a case fails or is unproved, or if \
        --mutate finds a change of the definitions that no case notices. Warnings about definitions and test files are \
        printed first, and do not change the exit status.

        EXAMPLE
          at: 2026-11-21T12:00:00Z
          cases:
            - name: Germans get the short checkout
              unit: user-011
              attributes: { country: DE }
              expect: { short-checkout: one-step }
            - name: nobody is in both experiments
              exclusive: [buy-button, short-checkout]
        """
}
