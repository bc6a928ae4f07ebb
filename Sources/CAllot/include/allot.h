// The C interface of Allot: deterministic experiment assignment over JSON and Arrow.
//
// * Texts are UTF-8 and end with a zero byte. A text that a function gives out is the caller's, who releases it with
//   allot_text_release.
// * A plan never changes. Any number of threads may use it at once.
// * A function that can fail returns an allot_status. ALLOT_OK is 0. Otherwise *message, unless `message` is NULL, is a
//   text that says where, what and how to fix it, and all other outputs are left as they were.
// * `options` are a JSON object as text; NULL or "" stands for none. An unknown member is an error.
#ifndef ALLOT_H
#define ALLOT_H

#include <stddef.h>
#include <stdint.h>

#include "arrow_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// The version of this interface. A library of the same version has everything that is declared here.
#define ALLOT_ABI_VERSION 1

typedef int32_t allot_status;
enum {
    ALLOT_OK = 0,
    ALLOT_INVALID_ARGUMENT = 1,     // a null pointer, options, JSON, an unknown experiment, an instant
    ALLOT_INVALID_DEFINITIONS = 2,  // *message is the report of allot_check_folder
    ALLOT_FILE_ERROR = 3,           // a folder or file cannot be read
    ALLOT_INVALID_DATA = 4          // Arrow data, a table's columns
};

// Definitions after validation, compiled for evaluation.
typedef struct allot_plan allot_plan;

// A file of definitions in memory: its name with the ending, and its bytes.
typedef struct {
    const char *path;
    const uint8_t *bytes;
    size_t length;
} allot_file;

// The ABI version of the library that was loaded, to be compared with ALLOT_ABI_VERSION.
uint32_t allot_abi_version(void);
// The version of Allot, "0.1.0". The text is constant and not to be released.
const char *allot_version(void);
// Releases a text. NULL is fine.
void allot_text_release(char *text);

// Loads a folder of definitions, or files that are in memory, whose names end in .yaml, .yml or .json. allot_plan_report
// has the warnings. With "allow_empty" a folder may define nothing, and there may be no files.
// options: {"allow_empty": false, "max_settings": 100, "max_value_bytes": 131072}
allot_status allot_load_folder(const char *folder, const char *options, allot_plan **plan, char **message);
allot_status allot_load_files(
    const allot_file *files, size_t count, const char *options, allot_plan **plan, char **message);
// Releases a plan. NULL is fine.
void allot_plan_release(allot_plan *plan);
// Checks a folder, or files, with the options of allot_load_folder. *report is what `allot check --format json` prints:
// {"definitions", "valid", "errors", "warnings", "problems": [{"severity", "file", "line", "column", "message", "path"}…],
// "revision"…}. Definitions with errors are a report and not a failure.
allot_status allot_check_folder(const char *folder, const char *options, char **report, char **message);
allot_status allot_check_files(
    const allot_file *files, size_t count, const char *options, char **report, char **message);
// {"revision", "experiments": [{"key", "revision", "unit", "status", "variants": [KEY…]}…], "attributes": [NAME…],
// "units": [NAME…]}; units are the attributes that hold the unit IDs of experiments, layers and holdouts.
allot_status allot_plan_describe(const allot_plan *plan, char **json, char **message);
// What allot_check_folder reported of the plan's files when they were loaded.
allot_status allot_plan_report(const allot_plan *plan, char **report, char **message);
// The files that the plan was loaded from, {NAME: TEXT…}. Another process loads the same plan from them.
allot_status allot_plan_files(const allot_plan *plan, char **json, char **message);

// One unit. attributes: a JSON object, with user_id among them.
// options: {"at": "2026-11-21T12:00:00Z", "experiments": [KEY…]}; without "at" the instant is now, without "experiments"
// all are decided.
// *json: [{"experiment", "variant", "reason", "bucket", "revision"}…] in the order of the keys.
allot_status allot_decide(
    const allot_plan *plan, const char *attributes, const char *options, char **json, char **message);
// What `allot config` prints. options: {"at"}
allot_status allot_config(
    const allot_plan *plan, const char *attributes, const char *options, char **json, char **message);
// What `allot explain --json` prints, or its text, or HTML, or an object of all three. options: {"at", "experiments",
// "format": "json" | "text" | "html" | "all"}
allot_status allot_explain(
    const allot_plan *plan, const char *attributes, const char *options, char **result, char **message);

// Notes on attributes of one unit that are probably not meant: [TEXT…], such as no experiment looks at "plattform"; did
// you mean "platform"? The texts have no hidden characters, and there are at most eleven.
allot_status allot_notes(const allot_plan *plan, const char *attributes, char **json, char **message);

// Many units. options:
//   "at"           RFC 3339; absent for now
//   "time_column"  the column of the rows' own instants, instead of "at"
//   "layout"       "wide" (default) or "long"
//   "experiments"  [KEY…]; absent for all
//   "all"          true: in the long layout also a row for each experiment without a variant
//   "columns"      {ATTRIBUTE: COLUMN}: columns that have another name than their attribute
//   "null"         [TEXT…]: what stands for a missing value in every column, such as "NULL", compared byte by byte; of
//                  whole numbers their digits; the elements of lists are values
//   "reason", "bucket"  true: in the wide layout also columns KEY.reason and KEY.bucket
//   "input"        true, in the wide layout of a stream: the columns of the input come first; none may have the
//                  name of a column of the answer
//   "texts"        true: columns of utf8 instead of dictionary<int32, utf8>
//   "codes"        true, in the wide layout: texts as bytes, those of eight columns in each column of int64. These come
//                  after the other columns, are named codes:0, codes:1… whatever names the input has, and are read by
//                  position. Columns of more than 255 texts are utf8. The metadata "allot.codes" of the schema of
//                  allot_assign and allot_assign_schema is a JSON array with an object for each column of the answer
//                  without this option: "name"; "position", counted without the columns of the input; and for codes
//                  "slot", which byte of the number, 0 for the lowest, and "texts". A code is the index of the text, or
//                  255 for null.
//   "threads"      over how many threads a batch is split: 1 by default, 0 for one for each core
// Input: a struct (record batch) of the columns. It is borrowed: the caller releases it. Text, whole numbers, decimals,
//   booleans, dates and timestamps are what they would be as fields of a CSV file: the literal of a condition decides
//   whether 7 is a number or text. Floating-point numbers are numbers, and elements of lists have their types.
//   arrow.uuid is text and arrow.bool8 a boolean. Numbers and lists of an extension type that is not known are an error
//   in a column that an experiment reads.
// wide: a row for each row of the input; for each experiment that can assign, a column KEY (dictionary<int32, utf8>, null
//   for no variant), and on request KEY.reason (dictionary<int32, utf8>) and KEY.bucket (int64, null unless randomised).
//   The columns of the input are not repeated.
// long: a row for each assigned variant: row (int64, the index into the input), unit (large_utf8), experiment, variant,
//   reason (dictionary<int32, utf8>), bucket (int64), revision (dictionary<int32, utf8>).
allot_status allot_assign(
    const allot_plan *plan, const char *options, const struct ArrowSchema *schema, const struct ArrowArray *array,
    struct ArrowSchema *out_schema, struct ArrowArray *out_array, char **message);
// The schema of the output, and the problems of the input's columns, before there is data. With "input", names of columns
// that the answer has too are problems; the schema has the columns of the answer alone.
allot_status allot_assign_schema(
    const allot_plan *plan, const char *options, const struct ArrowSchema *schema, struct ArrowSchema *out_schema,
    char **message);
// Assigns a stream, batch by batch; without "at" all at the instant of this call. On success it takes over `input` (whose
// `release` becomes NULL), which is released with `output`; on failure `input` stays the caller's. In the long layout
// `row` counts through all batches. `plan` may be released before the stream.
allot_status allot_assign_stream(
    const allot_plan *plan, const char *options, struct ArrowArrayStream *input, struct ArrowArrayStream *output,
    char **message);

// Analyses. *report is what the commands `allot srm`, `allot distribution` and `allot power` print with --json; with
// the option "format", "text" for people or "html"; "all" is an object {"json", "text", "html"}. The HTML of srm and
// power is a part of a page, that of distribution a page with plots. A sample ratio mismatch, and a bad distribution,
// are reports and not failures.
// Their options are those that are listed here, most of them those of the commands with _ for -: --unit-column is
// "unit_column". What a command takes several times is one text or a list of texts here, what it takes as a number is a
// number or a text such as "10%".

// Tests the sample ratio of counts, or of rows.
// Either csv is NULL, and the option "counts" has the units of each variant, {VARIANT: NUMBER}; or csv are `length`
// bytes of a CSV file that `allot srm` reads: rows of units, of counts, or of exposures.
// The expected ratio is that of the option "shares", {VARIANT: SHARE} or "control=50%,green=50%", or else of the plan,
// which is NULL with "shares". Counts need the option "experiment" with a plan.
// options: "counts", "shares", "shares_of" {REVISION: shares}, "experiment", "salt", "at", "threshold" (0.001), "by",
//   "ignore_variant", "time_order", "unit_column", "variant_column", "count_column", "experiment_column",
//   "time_column", "attributes_column", "format"
allot_status allot_srm(
    const allot_plan *plan, const char *csv, size_t length, const char *options, char **report, char **message);
// Tests the bucketing on generated unit IDs if csv is NULL, or on the column "unit_column" (user_id) of a CSV file.
// options: "experiment", "units" (1000000), "shape" ("sequential", "uuid", …, "all"), "hash", "salts" (1000),
//   "salt_units" (10000), "alarm" (0.001), "seed" (1), "unit_column", "threads" (1; 0 for one for each core), "format"
allot_status allot_distribution(
    const allot_plan *plan, const char *csv, size_t length, const char *options, char **report, char **message);
// Says how many units an experiment needs, or what it can find.
// options: "baseline", or "standard_deviation" and "mean"; two of "effect" or "relative_effect", "units" or
//   "units_per_variant" or "days", and "power" (0.8), of which the third follows; "alpha" (0.05), "variants" (2),
//   "allocation" ("80,10,10" or "control=80,blue=20"), "correction" ("bonferroni" or "none"), "one_sided",
//   "units_per_day", "traffic", "ramp" ("1%,10%,100%" or a list) and "every" ("2d"), "format"
allot_status allot_power(const char *options, char **report, char **message);

#ifdef __cplusplus
}
#endif

#endif
