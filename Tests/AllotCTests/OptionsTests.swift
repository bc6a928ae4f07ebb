import AllotConfiguration
import AllotCore
import CAllot
import Testing

/// Options that are wrong, and what to write instead.
struct OptionsTests {
    private static let table = ArrowColumn.table([
        .texts(["u1"]).named("user_id"), .integers([1]).named("n"), .integers([1]).named("seats"),
    ])

    private static func plan() throws -> LentPlan {
        try LentPlan(experiments: [
            ("checkout", "status: running\naudience: { seats: { $gt: 0 } }\nvariants: [{ key: x }]\n")
        ])
    }

    @Test(
        "Options of tables",
        arguments: [
            ("[]", #"options: not a JSON object, such as {"at": "2026-11-21T12:00:00Z"}"#),
            ("{", "options: not valid JSON, at line 1, column 2: "),
            (#"{"at": "soon"}"#, #"the option at, "soon", "#), (#"{"at": 5}"#, "the option at is a text"),
            (#"{"layout": "tall"}"#, #"the option layout is one of "wide", "long""#),
            (#"{"layout": 1}"#, #"the option layout is one of "wide", "long""#),
            (#"{"layouts": "wide"}"#, #"unknown option "layouts"; did you mean "layout"?"#),
            (#"{"zzzzzzzz": 1}"#, #"unknown option "zzzzzzzz"; known are at, time_column, layout, experiments, all,"#),
            (#"{"experiments": "checkout"}"#, "the option experiments is a list of texts"),
            (#"{"experiments": [1]}"#, "the option experiments is a list of texts"),
            (#"{"experiments": ["chekout"]}"#, "checkout"),
            (#"{"null": "NULL"}"#, "the option null is a list of texts"),
            (#"{"columns": ["user_id"]}"#, "the option columns is an object of texts"),
            (#"{"columns": {"user_id": 1}}"#, "the option columns is an object of texts"),
            (
                #"{"columns": {"user_id": "x"}}"#,
                #"columns: the table has no column "x" (it has "user_id", "n", "seats")"#
            ),
            (
                #"{"columns": {"seat": "n"}}"#,
                #"columns: no experiment looks at an attribute "seat"; did you mean "seats"?"#
            ),
            (#"{"threads": -1}"#, "the option threads is a whole number from 0 to 1024"),
            (#"{"threads": 1.5}"#, "the option threads is a whole number from 0 to 1024"),
            (#"{"threads": 1e99999}"#, "the option threads is a whole number from 0 to 1024"),
            (#"{"threads": "2"}"#, "the option threads is a whole number from 0 to 1024"),
            (#"{"all": true}"#, "the option all needs the layout long"),
            (#"{"all": "yes", "layout": "long"}"#, "the option all is true or false"),
            (
                #"{"layout": "long", "reason": true}"#,
                "the layout long always has reason and bucket; leave out these options"
            ),
            (
                #"{"at": "2026-01-01T00:00:00Z", "time_column": "n"}"#,
                "time_column gives each row its own instant; leave out at"
            ),
            (#"{"input": true}"#, "the option input is for allot_assign_stream"),
            (#"{"layout": "long", "codes": true}"#, "the option codes needs the layout wide"),
        ])
    func options(options: String, message: String) throws {
        let failure = try Self.plan().refusal(of: Self.table, options)
        #expect(failure.message.contains(message), "\(failure)")
        let expected = message.hasPrefix("columns: the table") ? ALLOT_INVALID_DATA : ALLOT_INVALID_ARGUMENT
        #expect(failure.status == Int(expected))
    }

    @Test("No options: NULL, nothing, an empty object, and members that are null")
    func none() throws {
        let plan = try Self.plan()
        for options in [nil, "", "{}", " {} ", #"{"at": null, "layout": null, "threads": null}"#] {
            #expect(try plan.assign(Self.table, options).column("checkout") == ["x"])
        }
    }

    @Test("Options and attributes that are not UTF-8")
    func encoding() throws {
        let plan = try Self.plan()
        let invalid: [CChar] = [0x7B, -1, 0x7D, 0]
        let lent = LentColumn(Self.table)
        var (schema, array) = (ArrowSchema(), ArrowArray())
        let failure = #expect(throws: Failure.self) {
            try call { allot_assign(plan.pointer, invalid, lent.schema, lent.array, &schema, &array, $0) }
        }
        #expect(failure?.message == "options is not UTF-8; convert it")
        let attributes = #expect(throws: Failure.self) { try text { allot_decide(plan.pointer, invalid, nil, $0, $1) } }
        #expect(attributes?.message == "attributes is not UTF-8; convert it")
    }

    @Test("A column of a type that attributes do not have is an error where it is read")
    func unreadableColumns() throws {
        let plan = try Self.plan()
        for (column, name) in [
            (ArrowColumn("z", length: 1, buffers: [nil, [0, 0, 0, 0, 0, 0, 0, 0], []]), "binary"),
            (ArrowColumn("w:4", length: 1, buffers: [nil, [0, 0, 0, 0]]), "fixed_size_binary"),
            (ArrowColumn("+s", length: 1, buffers: [nil]), "struct"),
            (ArrowColumn("tDs", length: 1, buffers: [nil, []]), "duration"),
            (ArrowColumn("ttm", length: 1, buffers: [nil, []]), "time of day"),
            (ArrowColumn("+r", length: 1, buffers: []), "run_end_encoded"),
            // Whole numbers of 128 bits, as Polars has them.
            (ArrowColumn("_pli128", length: 1, buffers: [nil, []]), "\"_pli128\""),
            (.lists([1], of: ArrowColumn("_plu128", length: 1, buffers: [nil, []])), "\"_plu128\""),
            (.lists([1], of: .lists([1], of: .integers([1]))), "a list of lists"),
            (.lists([1], of: ArrowColumn("+s", length: 1, buffers: [nil])), "struct"),
        ] {
            let table = ArrowColumn.table([Self.table.children[0], column.named("seats"), column.named("other")])
            let failure = plan.refusal(of: table)
            #expect(
                failure.message
                    == "the column \"seats\" is of type \(name), which the attribute \"seats\" cannot have; "
                    + "cast it to text, a number, a boolean, a date, a timestamp or a list of these, or leave it out")
            var fine = table
            fine.children[1] = ArrowColumn.integers([1]).named("seats")
            #expect(try plan.assign(fine).column("checkout") == ["x"])
        }
    }
}
