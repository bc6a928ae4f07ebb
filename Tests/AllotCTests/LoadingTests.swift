import AllotConfiguration
import AllotCore
import AllotDefinitions
import CAllot
import Foundation
import TestSupport
import Testing

/// Definitions that are loaded, checked and described.
struct LoadingTests {
    private static let files = [
        ("base.yaml", "config_sections: {}\n"), ("e.yaml", "status: running\nvariants: [{ key: a }]\n"),
    ]

    private static func json(_ text: String) throws -> JSONObject {
        guard case .object(let object) = try JSONValue(parsing: Array(text.utf8)) else {
            throw Failure(status: -1, message: "not an object: \(text)")
        }
        return object
    }

    @Test("The versions")
    func versions() {
        #expect(allot_abi_version() == UInt32(ALLOT_ABI_VERSION))
        #expect(String(cString: allot_version()) == AllotVersion.number)
        #expect(allot_version() == allot_version())
    }

    @Test("A folder, and the same files in memory")
    func folderAndFiles() throws {
        let folder = try TemporaryFolder()
        for (name, text) in Self.files { try folder.write(text, to: name) }
        var plan: OpaquePointer?
        try call { allot_load_folder(folder.path, nil, &plan, $0) }
        let described = try text { allot_plan_describe(plan, $0, $1) }
        allot_plan_release(plan)
        let inMemory = try LentPlan(Self.files)
        #expect(try text { allot_plan_describe(inMemory.pointer, $0, $1) } == described)
        let object = try Self.json(described)
        #expect(object["revision"] == .string(inMemory.plan.revision))
        #expect(object["attributes"] == ["user_id"])
        #expect(object["units"] == ["user_id"])
        #expect(
            object["experiments"] == [
                [
                    "key": "e", "revision": .string(inMemory.plan.experiments[0].revision), "unit": "user_id",
                    "status": "running", "variants": ["a"],
                ]
            ])
        withExtendedLifetime(inMemory) {}
    }

    @Test("The attributes that hold unit IDs are those of experiments, layers and holdouts")
    func units() throws {
        let plan = try LentPlan([
            ("e.yaml", "status: draft\nvariants: [{ key: a }]\n"),
            ("f.yaml", "status: draft\nunit: none\nvariants: [{ key: a }]\n"),
            ("layers.yaml", "l: { unit: org_id }\n"), ("holdouts.yaml", "h: { unit: team_id, share: 1% }\n"),
        ])
        let described = try text { allot_plan_describe(plan.pointer, $0, $1) }
        #expect(try Self.json(described)["units"] == ["org_id", "team_id", "user_id"])
        withExtendedLifetime(plan) {}
    }

    @Test("Invalid definitions are the report of a check, with its own status")
    func invalidDefinitions() throws {
        let invalid = [Self.files[0], ("e.yaml", "status: runing\n")]
        var plan: OpaquePointer?
        let failure = #expect(throws: Failure.self) {
            try withFiles(invalid) { start, count in
                try call { allot_load_files(start, count, nil, &plan, $0) }
            }
        }
        #expect(failure?.status == Int(ALLOT_INVALID_DEFINITIONS))
        #expect(plan == nil)
        let report = try text { output, message in
            withFiles(invalid) { allot_check_files($0, $1, nil, output, message) }
        }
        #expect(failure?.message == report)
        let object = try Self.json(report)
        #expect(object["valid"] == false)
        guard case .array(let problems)? = object["problems"], case .object(let problem)? = problems.first else {
            Issue.record("there are no problems: \(report)")
            return
        }
        #expect(problem["file"] == "e.yaml")
        #expect(problem["line"] == 1)
    }

    @Test("A check of the examples is that of the command", .blocks)
    func check() throws {
        let printed = try Outcome(
            of: BuiltProgram("allot").url, ["check", "-d", root.path + "/Experiments", "--format", "json"],
            in: URL(filePath: "/"))
        let report = try text { allot_check_folder(root.path + "/Experiments", nil, $0, $1) }
        #expect(report + "\n" == printed.text)
    }

    @Test("A plan reports and gives the files it was loaded from, whatever the folder has now")
    func origin() throws {
        let folder = try TemporaryFolder()
        let late = "\u{FEFF}status: running\nends: 2001-01-01T00:00:00Z # ü\nvariants: [{ key: a }]\n"
        let files = Self.files + [("late.yaml", late)]
        for (name, text) in files { try folder.write(text, to: name) }
        let report = try text { allot_check_folder(folder.path, nil, $0, $1) }
        #expect(try Self.json(report)["warnings"] == 1)
        var plan: OpaquePointer?
        try call { allot_load_folder(folder.path, nil, &plan, $0) }
        defer { allot_plan_release(plan) }
        try folder.write("status: draft\nvariants: [{ key: b }]\n", to: "late.yaml")
        try folder.write("nonsense", to: "more.yaml")
        #expect(try text { allot_plan_report(plan, $0, $1) } == report)
        let given = try Self.json(try text { allot_plan_files(plan, $0, $1) })
        #expect(given.members.map(\.key) == files.map(\.0))
        for (name, text) in files { #expect(given[name] == .string(text)) }
        let same = try LentPlan(files)
        #expect(try text { allot_plan_describe(same.pointer, $0, $1) } == text { allot_plan_describe(plan, $0, $1) })
        withExtendedLifetime(same) {}
    }

    @Test("What cannot be read, and limits")
    func failures() throws {
        func failure(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> allot_status) -> Failure? {
            #expect(throws: Failure.self) { try call(body) }
        }
        var plan: OpaquePointer?
        let missing = failure { allot_load_folder("/nowhere/at all", nil, &plan, $0) }
        #expect(missing?.status == Int(ALLOT_FILE_ERROR))
        #expect(missing?.message.contains("/nowhere/at all") == true)
        #expect(failure { allot_load_files(nil, 2, nil, &plan, $0) }?.message == "files is NULL")
        let nameless = allot_file(path: nil, bytes: nil, length: 0)
        #expect(
            withUnsafePointer(to: nameless) { file in
                failure { allot_load_files(file, 1, nil, &plan, $0) }?.message
            } == "files[0].path is NULL")
        let limited = failure { message in
            withFiles([
                ("base.yaml", "config_sections: { S: { settings: { a: { value: 1 }, b: { value: 2 } } } }\n"),
                Self.files[1],
            ]) { allot_load_files($0, $1, #"{"max_settings": 1}"#, &plan, message) }
        }
        #expect(limited?.status == Int(ALLOT_INVALID_DEFINITIONS))
        #expect(limited?.message.contains("limits.settings of the base)") == true)
        #expect(missing?.message.hasSuffix("; name another folder") == true)
        #expect(
            failure { allot_load_files(nil, 0, nil, &plan, $0) }?.message
                == "files is empty, with which no unit would be assigned; give files of definitions, or add "
                + "allow_empty if that is intended")
        let others = failure { message in
            withFiles(Self.files + [("button.yaml.bak", "status: running")]) {
                allot_load_files($0, $1, nil, &plan, message)
            }
        }
        #expect(others?.status == Int(ALLOT_INVALID_ARGUMENT))
        #expect(others?.message.contains("\"button.yaml.bak\" is not a file of definitions") == true)
        #expect(
            failure { allot_load_folder("/", #"{"max_setings": 1}"#, &plan, $0) }?.message
                == "unknown option \"max_setings\"; did you mean \"max_settings\"?")
        #expect(plan == nil)
    }
}
