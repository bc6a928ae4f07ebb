import AllotConfiguration
import TestSupport
import Testing

/// The summary of many experiments, and of many days, at the start of a report.
@Suite(.blocks) struct SampleRatioOverviewTests {
    @Test("A report over several experiments begins with the alarms, and who has them")
    func manyExperiments() throws {
        let workspace = try Workspace(["Experiments/base.json": #"{"config_sections": {}}"#])
        var rows = "count,experiment,variant\n"
        for index in 1...30 {
            try workspace.write("Experiments/e\(index).yaml", "status: running\nvariants: [{ key: a }, { key: b }]\n")
            rows += "500,e\(index),a\n\(index % 10 == 0 ? 700 : 510),e\(index),b\n"
        }
        try workspace.write("counts.csv", rows)
        try workspace.run("srm", "counts.csv").expectText(
            start: "30 experiments, 3 with an alarm:\n    ratio in 3: e10, e20, e30\n\n", status: 2)
        let summary = try workspace.json("srm", "counts.csv")["summary"]
        #expect(summary?["experiments"] == 30)
        #expect(summary?["with_alarm"] == ["e10", "e20", "e30"])
        #expect(summary?["alarms"]?[0]?["alarm"] == "ratio")
        try workspace.run("srm", "counts.csv", "--experiment", "e1").expectText(start: "e1: ", status: nil)
    }

    @Test(
        "Days that follow one another are one range, and a column without a name is seen",
        arguments: [
            ("day", [4, 5, 6], "IT COMES FROM day=2026-11-04 to 2026-11-06: without them"),
            ("day", [4], "IT COMES FROM day=2026-11-04: without it"),
            ("", [4, 5], "IT COMES FROM \"\"=2026-11-04 to 2026-11-05: without them"),
            ("day", [2, 7], " and day=2026-11-0"),
        ])
    func ranges(column: String, lossy: [Int], text: String) throws {
        let workspace = try Workspace()
        var rows = "unit,variant,\(column)\n"
        for day in 1...9 {
            for index in 0..<600 where !(lossy.contains(day) && index % 2 == 1 && (lossy.count == 1 || index % 3 > 0)) {
                rows += "u\(day)-\(index),\(index % 2 == 0 ? "a" : "b"),2026-11-0\(day)\n"
            }
        }
        try workspace.write("units.csv", rows)
        try workspace.run("srm", "units.csv", "--shares", "a=1,b=1").expectFlatText(text, status: nil)
    }
}
