import AllotStatistics

/// What the page says about its methods.
enum PageText {
    static func methods(of report: DistributionReport) -> [String] {
        [
            "Every unit ID goes through the salt of every experiment, layer and holdout by itself. Status, schedule, "
                + "audience, requirements, forced units and other gates play no part: experiments of one layer never "
                + "meet, but their salts must be independent all the same.",
            "Shares: Pearson's chi-square test of the units of each category against the exact shares of its buckets. "
                + "\"Not enrolled\" is who has no variant, by the traffic or by buckets that no variant owns.",
            "Buckets: Pearson's chi-square test of equal frequency over as many equal cells as expect 5 draws or more: "
                + "all buckets when there are enough. For the plots of all salts together each salt counts once.",
            "Enrolment and variant: the first and the second bucket of an experiment come from one hash; the chi-square "
                + "test of independence over ten parts of each shows whether they are two decisions.",
            "Pairs: Pearson's chi-square test of independence of the cross table of the categories of two "
                + "randomisations; φ = √(χ²/units). Pairs with one salt are one decision and are reported as such.",
            "Where a cell expects fewer than 5 units nothing is tested. Where one expects fewer than 1,000, a p-value "
                + "below 0.001 is the larger one of Pearson's and the likelihood-ratio test, as Pearson's "
                + "exaggerates far out in the tail.",
            "A/A: each of many salts splits the same units in halves, and Pearson's chi-square test looks for a "
                + "difference. Counts are whole numbers, so that the test rejects a fair split not exactly as often as its "
                + "level says; the rate is compared with the exact binomial probability. The p-values in the plot "
                + "are exact binomial ones, randomised within their steps, which makes them uniform if nothing is wrong.",
            "All \(NumberText.counted(report.testCount, "test")) are corrected for one another by Holm's method: if "
                + "nothing is wrong, the probability of any alarm at all is at most \(report.alarmLevel).",
        ]
    }
}
