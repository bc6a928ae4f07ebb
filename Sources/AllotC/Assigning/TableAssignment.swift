import AllotBatch
import AllotConfiguration
import AllotCore
import AllotDefinitions
import CAllot

/// The plan and the options of an assignment of tables.
struct TableAssignment: Sendable {
    private enum Layout: String, CaseIterable {
        case wide, long
    }

    let plan: Plan
    let instant: Instant
    let timeColumn: String?
    /// The wide layout; `nil` for the long one.
    let wide: WideLayout?
    let includesAll: Bool
    /// The columns of attributes that have another name there.
    let columns: [String: String]
    /// Texts that stand for a missing value in every column.
    let nullWords: NullWords
    let addsReason: Bool
    let addsBucket: Bool
    /// Whether the columns of the input come first, in the wide layout of a stream.
    let includesInput: Bool
    /// Whether texts are written one by one, for readers that do not know dictionaries.
    let writesTexts: Bool
    /// Whether texts are written as codes, for readers to which a text costs much more than a number.
    let writesCodes: Bool
    /// The number of threads that share a batch.
    let threadCount: Int
    /// The experiments that are decided and written, in key order.
    let experiments: [Int]

    init(plan: Plan, options pointer: UnsafePointer<CChar>?) throws {
        var options = try Options(pointer)
        let given = try options.instant()
        timeColumn = try options.text("time_column")
        let layout = try options.choice("layout") ?? Layout.wide
        let selection = try options.selection(of: plan)
        includesAll = try options.flag("all")
        columns = try options.names("columns")
        nullWords = NullWords(try options.texts("null") ?? [])
        (addsReason, addsBucket) = (try options.flag("reason"), try options.flag("bucket"))
        includesInput = try options.flag("input")
        writesCodes = try options.flag("codes")
        // A column that has too many texts for codes is one of texts.
        writesTexts = try options.flag("texts") || writesCodes
        threadCount = try options.threadCount()
        try options.finish()
        if timeColumn != nil, given != nil {
            throw InterfaceError.argument("time_column gives each row its own instant; leave out at")
        }
        if includesInput, layout != .wide { throw InterfaceError.argument("the option input needs the layout wide") }
        if includesAll, layout != .long { throw InterfaceError.argument("the option all needs the layout long") }
        if writesCodes, layout != .wide { throw InterfaceError.argument("the option codes needs the layout wide") }
        if layout == .long, addsReason || addsBucket {
            throw InterfaceError.argument("the layout long always has reason and bucket; leave out these options")
        }
        self.plan = plan
        instant = given ?? .now
        // The rules which experiments get a column are those of CSV files.
        var batch = BatchAssignment(plan: plan, instant: instant)
        batch.selection = selection
        batch.timeColumn = timeColumn
        experiments = includesAll ? batch.selected : batch.wideColumns
        wide =
            layout == .long
            ? nil
            : WideLayout(
                plan, experiments: experiments, addsReason: addsReason, addsBucket: addsBucket, writesCodes: writesCodes
            )
    }

    /// The instant of evaluation if all rows have the same one.
    var commonInstant: Instant? { timeColumn == nil ? instant : nil }
}
