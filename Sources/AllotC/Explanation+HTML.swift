import AllotAnalysis
import AllotCore

extension Explanation {
    /// The explanation for a notebook: a sentence for each experiment, with its checks to unfold.
    ///
    /// It is a part of a page.
    var html: String {
        var markup = Markup()
        markup.element("div", ["class": "allot-explanation"]) { markup in
            for experiment in experiments {
                markup.element("details") { markup in
                    markup.element("summary", experiment.sentence)
                    markup.element("pre", experiment.text.drop { $0 != "\n" }.dropFirst().description)
                }
                markup.endLine()
            }
        }
        return markup.text
    }
}
