import Foundation
import TestSupport
import Testing

extension EngineTests {
    /// The job of the article "Without SQL", on Spark, with a script in the place of the program.
    struct WithoutSQLTests {
        @Test("Spark's job without SQL writes what the program writes", .needs(.spark))
        func job() throws {
            let rows = try run(program: "#!/bin/sh\nexec cat\n")
            #expect(rows.status == 0)
            #expect(rows.lines == ["user-0,DE,", "user-1,DE,", "user-2,DE,"])
        }

        @Test(
            "Spark's job without SQL fails if the program fails or is missing", .needs(.spark),
            arguments: ["#!/bin/sh\ncat\nexit 2\n", nil])
        func failure(program: String?) throws {
            let rows = try run(program: program)
            #expect(rows.status != 0)
            #expect(rows.lines == [])
        }

        private func run(program: String?) throws -> (status: Int32, lines: [String]) {
            let article = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Sources/AllotSQL/AllotSQL.docc/WithoutSQL.md")
            let text = try String(contentsOf: article, encoding: .utf8)
            let code = try #require(text.firstMatch(of: /(?s)```python\n(.*?)```/)).1
            let folder = try TemporaryFolder()
            let users = "[(f\"user-{n}\", \"DE\", None) for n in range(3)], \"user_id string, country string, "
            let job = code.replacing(
                "spark.read.parquet(\"/data/users\")",
                with: "spark.createDataFrame(\(users)app_version string\")"
            ).replacing("/data/assigned", with: folder.path("assigned"))
            #expect(!job.contains("/data/"))
            try folder.write(String(job), to: "assign.py")
            try folder.write("", to: "base.yaml")
            let packing = ["-czf", folder.path("definitions.tgz"), "-C", folder.path("."), "base.yaml"]
            let packed = try Outcome(of: URL(filePath: "/bin/tar"), packing)
            #expect(packed.status == 0)
            var arguments = ["--master", "local[2]", "--archives", folder.path("definitions.tgz") + "#definitions"]
            if let program {
                try folder.write(program, to: "allot")
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("allot"))
                arguments += ["--files", folder.path("allot")]
            }
            let python = try EngineProgram.python()
            var environment = ProcessInfo.processInfo.environment
            environment["PYSPARK_PYTHON"] = python.path
            environment["SPARK_LOCAL_IP"] = "127.0.0.1"
            let submit = python.deletingLastPathComponent().appending(path: "spark-submit")
            let outcome = try Outcome(of: submit, arguments + [folder.path("assign.py")], environment: environment)
            let output = folder.path("assigned")
            let parts = (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []
            let lines = try parts.filter { $0.hasPrefix("part-") }.flatMap { part in
                try folder.text("assigned/\(part)").split(separator: "\n").map(String.init)
            }
            return (outcome.status, lines.sorted())
        }
    }
}
