// Assigns three users by the definitions of a folder, with the library that Sources/AllotC/build OUT makes:
// cc assign.c -IOUT -LOUT -lallot -Wl,-rpath,OUT, then ./a.out Experiments
#include <allot.h>
#include <stdio.h>

static void keep_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void keep_array(struct ArrowArray *array) { array->release = NULL; }

int main(int count, char **arguments) {
    allot_plan *plan;
    char *message;
    if (allot_load_folder(count > 1 ? arguments[1] : "Experiments", NULL, &plan, &message) != ALLOT_OK) goto failed;

    // A batch of two columns of text: user_id and country. All of it is static, so that there is nothing to release.
    const int32_t ends[] = {0, 8, 16, 24}, country_ends[] = {0, 2, 2, 4};
    const uint8_t known[] = {5};  // the country of the first and third user
    const void *users[] = {NULL, ends, "user-007user-008user-016"}, *countries[] = {known, country_ends, "FRES"};
    const void *none[] = {NULL};
    struct ArrowSchema user_type = {.format = "u", .name = "user_id", .release = keep_schema};
    struct ArrowSchema country_type = {
        .format = "u", .name = "country", .flags = ARROW_FLAG_NULLABLE, .release = keep_schema};
    struct ArrowSchema *types[] = {&user_type, &country_type};
    struct ArrowSchema schema = {.format = "+s", .name = "", .n_children = 2, .children = types, .release = keep_schema};
    struct ArrowArray user = {.length = 3, .n_buffers = 3, .buffers = users, .release = keep_array};
    struct ArrowArray country = {
        .length = 3, .null_count = 1, .n_buffers = 3, .buffers = countries, .release = keep_array};
    struct ArrowArray *columns[] = {&user, &country};
    struct ArrowArray batch = {
        .length = 3, .n_buffers = 1, .buffers = none, .n_children = 2, .children = columns, .release = keep_array};

    struct ArrowSchema assigned_type;
    struct ArrowArray assigned;
    const char *options = "{\"at\": \"2026-11-21T12:00:00Z\", \"experiments\": [\"buy-button\", \"search-ranking\"]}";
    if (allot_assign(plan, options, &schema, &batch, &assigned_type, &assigned, &message) != ALLOT_OK) goto failed;
    for (int64_t column = 0; column < assigned.n_children; column++) {
        const struct ArrowArray *array = assigned.children[column], *keys = array->dictionary;
        const uint8_t *valid = array->buffers[0];
        const int32_t *indices = array->buffers[1], *starts = keys->buffers[1];
        printf("%s:", assigned_type.children[column]->name);
        for (int64_t row = 0; row < array->length; row++) {
            int32_t key = indices[row];
            if (valid && !(valid[row / 8] >> row % 8 & 1)) printf(" -");
            else printf(" %.*s", starts[key + 1] - starts[key], (const char *)keys->buffers[2] + starts[key]);
        }
        printf("\n");
    }
    assigned.release(&assigned);
    assigned_type.release(&assigned_type);
    allot_plan_release(plan);
    return 0;
failed:
    fprintf(stderr, "%s\n", message);
    allot_text_release(message);
    return 1;
}
