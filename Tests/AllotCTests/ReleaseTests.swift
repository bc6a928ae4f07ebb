import CAllot
import Testing

/// Who owns what: everything is released exactly once, and children may be moved out.
struct ReleaseTests {
    private static let table = ArrowColumn.table([.texts(["u1", nil, "u3"]).named("user_id")])

    private static func plan() throws -> LentPlan {
        try LentPlan(experiments: [("e", "status: running\nvariants: [{ key: x }]\n")])
    }

    @Test("The input stays the caller's, also when it is refused")
    func input() throws {
        let plan = try Self.plan()
        let lent = LentColumn(Self.table)
        _ = try plan.assign(lent, #"{"threads": 2}"#)
        _ = #expect(throws: Failure.self) { try plan.assign(lent, #"{"layout": "narrow"}"#) }
        _ = #expect(throws: Failure.self) { try plan.assign(LentColumn(.table([.nulls(1).named("id")]))) }
        #expect(lent.arrayReleases + lent.schemaReleases == 0)
        #expect(lent.children[0].arrayReleases + lent.children[0].schemaReleases == 0)
    }

    @Test("A consumer may move columns out, and release the table before them")
    func movedChildren() throws {
        let plan = try Self.plan()
        var (schema, array) = (ArrowSchema(), ArrowArray())
        let lent = LentColumn(Self.table)
        try call { allot_assign(plan.pointer, #"{"reason": true}"#, lent.schema, lent.array, &schema, &array, $0) }
        let (first, firstSchema) = (try #require(array.children[0]), try #require(schema.children[0]))
        var (column, columnSchema) = (first.pointee, firstSchema.pointee)
        first.pointee.release = nil
        firstSchema.pointee.release = nil
        array.release(&array)
        schema.release(&schema)
        #expect(array.release == nil)
        #expect(schema.release == nil)
        let variants = AssignedTable.texts(columnSchema, column)
        #expect(variants == ["x", nil, "x"])
        // So may the dictionary be moved out of the column.
        var dictionary = try #require(column.dictionary).pointee
        column.dictionary.pointee.release = nil
        column.release(&column)
        columnSchema.release(&columnSchema)
        #expect(dictionary.length == 1)
        dictionary.release(&dictionary)
        #expect(dictionary.release == nil)
    }

    @Test("Nothing is written on failure")
    func outputs() throws {
        let plan = try Self.plan()
        var schema = ArrowSchema()
        var array = ArrowArray()
        (schema.flags, array.length) = (77, 88)
        let lent = LentColumn(.table([.texts(["u"]).named("user_id")]))
        #expect(
            allot_assign(plan.pointer, "[]", lent.schema, lent.array, &schema, &array, nil) == ALLOT_INVALID_ARGUMENT)
        let invalid = LentColumn(.table([ArrowColumn.texts([[0xFF]]).named("user_id")]))
        #expect(
            allot_assign(plan.pointer, nil, invalid.schema, invalid.array, &schema, &array, nil) == ALLOT_INVALID_DATA)
        #expect(schema.flags == 77)
        #expect(array.length == 88)
        var (text, message): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) = (nil, nil)
        #expect(allot_decide(plan.pointer, "{", nil, &text, &message) == ALLOT_INVALID_ARGUMENT)
        #expect(text == nil)
        allot_text_release(message)
    }

    @Test("Null pointers are errors that name them")
    func nullPointers() throws {
        let plan = try Self.plan()
        let lent = LentColumn(Self.table)
        var (schema, array, stream) = (ArrowSchema(), ArrowArray(), ArrowArrayStream())
        func message(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> allot_status) -> String {
            let failure = #expect(throws: Failure.self) { try call(body) }
            #expect(failure?.status == Int(ALLOT_INVALID_ARGUMENT))
            return failure?.message ?? ""
        }
        let pointer = plan.pointer
        defer { withExtendedLifetime((plan, lent)) {} }
        #expect(message { allot_assign(nil, nil, lent.schema, lent.array, &schema, &array, $0) } == "plan is NULL")
        #expect(message { allot_assign(pointer, nil, nil, lent.array, &schema, &array, $0) } == "schema is NULL")
        #expect(message { allot_assign(pointer, nil, lent.schema, nil, &schema, &array, $0) } == "array is NULL")
        #expect(
            message { allot_assign(pointer, nil, lent.schema, lent.array, nil, &array, $0) } == "out_schema is NULL")
        #expect(
            message { allot_assign(pointer, nil, lent.schema, lent.array, &schema, nil, $0) } == "out_array is NULL")
        #expect(message { allot_assign_schema(pointer, nil, lent.schema, nil, $0) } == "out_schema is NULL")
        #expect(message { allot_assign_stream(pointer, nil, nil, &stream, $0) } == "input is NULL")
        #expect(message { allot_load_folder(nil, nil, nil, $0) } == "plan is NULL")
        #expect(message { allot_load_files(nil, 1, nil, nil, $0) } == "plan is NULL")
        #expect(message { allot_check_folder(nil, nil, nil, $0) } == "the output is NULL")
        #expect(message { allot_plan_describe(nil, nil, $0) } == "the output is NULL")
        #expect(message { allot_srm(nil, nil, 0, nil, nil, $0) } == "the output is NULL")
        _ = try text { output, messageOutput in
            #expect(message { allot_decide(nil, "{}", nil, output, $0) } == "plan is NULL")
            #expect(message { allot_decide(pointer, nil, nil, output, $0) } == "attributes is NULL")
            #expect(message { allot_distribution(nil, nil, 0, nil, output, $0) } == "plan is NULL")
            return allot_plan_describe(pointer, output, messageOutput)
        }
        allot_text_release(nil)
        allot_plan_release(nil)
        // A failure without a place for its message.
        #expect(allot_plan_describe(nil, nil, nil) == ALLOT_INVALID_ARGUMENT)
    }
}
