-- Written by "allot sql" for Spark SQL: the variants of the experiments of revision 5a5aa40ef67a57ad.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- The statement reads these columns of `app`.`users`:
--   `id`: unit ID
--   `country`: text
--   `version`: version
--   `org_id`: unit ID
--   `seats`: number
-- The instant of evaluation is 2026-06-01T00:00:00Z.
-- Proved equal to Allot's own decisions on Spark SQL 4.3.
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    NULLIF(CAST(concat(allot_source.`id`, '') AS STRING), '') AS allot_user_id,
    NULLIF(CAST(concat(allot_source.`country`, '') AS STRING), '') AS allot_country,
    NULLIF(CAST(concat(allot_source.`version`, '') AS STRING), '') AS allot_version,
    NULLIF(CAST(concat(allot_source.`org_id`, '') AS STRING), '') AS allot_org_id,
    NULLIF(CAST(concat(allot_source.`seats`, '') AS STRING), '') AS allot_seats
  FROM `app`.`users` AS allot_source
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    allot_user_id, allot_country, allot_org_id,
    CASE WHEN size(array_sort(array(allot_user_id), (one, other) -> 0)) = 0 THEN NULL ELSE CASE WHEN octet_length(allot_user_id) <= 1024 AND is_valid_utf8(allot_user_id) THEN allot_user_id END END AS allot_unit_user_id,
    CASE WHEN (allot_version RLIKE '(?d)^(v?(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?+)?+)?+)?+)?+(-([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)([.]([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*))*+)?+([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*+)?+)$' AND NOT endswith(allot_version, X'0a')) THEN allot_version END AS allot_version_version,
    CASE WHEN octet_length(allot_org_id) <= 1024 AND is_valid_utf8(allot_org_id) THEN allot_org_id END AS allot_unit_org_id,
    CASE WHEN octet_length(allot_seats) <= 40 AND (allot_seats RLIKE '(?d)^(-?[0-9]+([.][0-9]+)?+([eE][+-]?[0-9][0-9]?)?+)$' AND NOT endswith(allot_seats, X'0a')) THEN TRY_CAST(allot_seats AS DOUBLE) + 0 END AS allot_number_seats
  FROM allot_attributes
  ),
  -- Parts of what was read.
  allot_digests AS (
  SELECT
    allot_user_id, allot_country, allot_org_id, allot_unit_user_id, allot_version_version, allot_unit_org_id,
    allot_number_seats,
    split(regexp_extract(allot_version_version, '^v?([0-9.]+)', 1), '[.]') AS allot_numbers_version,
    CASE WHEN allot_version_version IS NOT NULL THEN regexp_extract(allot_version_version, '^v?[0-9.]+-([0-9A-Za-z.-]+)', 1) END AS allot_prerelease_version
  FROM allot_readings
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt. A bucket is below B of 1000000 if its ten digits
  -- are below those of B * 2^40 / 1000000, rounded up.
  allot_buckets AS (
  SELECT
    allot_user_id, allot_country, allot_org_id, allot_unit_user_id, allot_unit_org_id, allot_number_seats,
    allot_prerelease_version,
    CASE WHEN allot_version_version IS NOT NULL THEN concat(CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 0), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 0), ''), ''), '0'), CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 1), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 1), ''), ''), '0'), CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 2), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 2), ''), ''), '0'), CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 3), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 3), ''), ''), '0'), CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 4), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 4), ''), ''), '0'), CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 5), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 5), ''), ''), '0')) END AS allot_core_version,
    substr(binary(SHA2(concat('button:', allot_unit_user_id), 256)), 1, 20) AS allot_digest_button,
    substr(binary(SHA2(concat('price:', allot_unit_org_id), 256)), 1, 20) AS allot_digest_price_org_id
  FROM allot_digests
  ),
  -- Variants that other experiments require.
  allot_required_1 AS (
  SELECT
    allot_user_id, allot_country, allot_org_id, allot_unit_user_id, allot_unit_org_id, allot_number_seats,
    allot_prerelease_version, allot_core_version, allot_digest_button, allot_digest_price_org_id,
    CASE
      WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
      WHEN allot_unit_user_id IN (CAST(X'69742773206d65' AS STRING)) THEN 'green'  -- forced
      WHEN NOT COALESCE(allot_country IN (CAST(X'43c394544520442749564f495245' AS STRING), 'DE')
          AND (allot_core_version > '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
            OR (allot_core_version = '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
              AND allot_prerelease_version = '')), FALSE)
      THEN NULL  -- audience
      WHEN allot_digest_button >= binary('cccccccccd') /* 800000 */ THEN NULL  -- traffic
      WHEN substr(allot_digest_button, 11, 10) < binary('8000000000') /* 500000 */ THEN 'control'  -- split
      ELSE 'green'  -- split
    END AS allot_variant_button
  FROM allot_buckets
  ),
  -- The first check that applies gives the outcome, a place in the lists of variants and reasons.
  allot_outcomes AS (
  SELECT
    allot_user_id, allot_org_id, allot_digest_button, allot_digest_price_org_id,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 0  -- no-unit
      WHEN allot_unit_user_id IN (CAST(X'69742773206d65' AS STRING)) THEN 1  -- forced
      WHEN NOT COALESCE(allot_country IN (CAST(X'43c394544520442749564f495245' AS STRING), 'DE')
          AND (allot_core_version > '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
            OR (allot_core_version = '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
              AND allot_prerelease_version = '')), FALSE)
      THEN 2  -- audience
      WHEN allot_digest_button >= binary('cccccccccd') /* 800000 */ THEN 3  -- traffic
      WHEN substr(allot_digest_button, 11, 10) < binary('8000000000') /* 500000 */ THEN 4  -- split
      ELSE 5  -- split
    END AS allot_outcome_button,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 0  -- no-unit
      ELSE 1  -- winner
    END AS allot_outcome_layout,
    CASE
      WHEN allot_unit_org_id IS NULL THEN 0  -- no-unit
      WHEN NOT COALESCE(allot_variant_button IN ('green'), FALSE) THEN 1  -- requirement
      WHEN NOT COALESCE(allot_number_seats >= CAST('2.5' AS DOUBLE), FALSE) THEN 2  -- audience
      WHEN substr(allot_digest_price_org_id, 11, 10) < binary('8000000000') /* 500000 */ THEN 3  -- split
      ELSE 4  -- split
    END AS allot_outcome_price
  FROM allot_required_1
  ),
  -- The values that differ from row to row, in the order of the experiments below.
  allot_lists AS (
  SELECT
    CASE WHEN size(array_sort(array(allot_user_id), (one, other) -> 0)) = 0 THEN NULL ELSE array(
      allot_user_id,
      allot_user_id,
      allot_org_id
    ) END AS allot_unit_list,
    array(
      allot_outcome_button,
      allot_outcome_layout,
      allot_outcome_price
    ) AS allot_outcome_list,
    array(
      CASE WHEN allot_outcome_button IN (4, 5) THEN shiftright(CAST(conv(string(substr(allot_digest_button, 11, 10)), 16, 10) AS BIGINT) * 1000000, 40) END,
      CAST(NULL AS BIGINT),
      CASE WHEN allot_outcome_price IN (3, 4) THEN shiftright(CAST(conv(string(substr(allot_digest_price_org_id, 11, 10)), 16, 10) AS BIGINT) * 1000000, 40) END
    ) AS allot_bucket_list
  FROM allot_outcomes
  )
SELECT
  get(allot_unit_list, allot_number) AS unit,
  experiment,
  get(allot_variants, get(allot_outcome_list, allot_number)) AS variant,
  get(allot_reasons, get(allot_outcome_list, allot_number)) AS reason,
  get(allot_bucket_list, allot_number) AS bucket,
  revision
FROM allot_lists
LATERAL VIEW inline(array(
  struct(0, 'button', array(NULL, 'green', NULL, NULL, 'control', 'green'), array('no-unit', 'forced', 'audience', 'traffic', 'split', 'split'), '75aae4c86ec22dd0'),
  struct(1, 'layout', array(NULL, 'green'), array('no-unit', 'winner'), 'b3805d544e1cf75c'),
  struct(2, 'price', array(NULL, NULL, NULL, 'control', 'green'), array('no-unit', 'requirement', 'audience', 'split', 'split'), '20e474de42113b0e')
)) allot_experiments AS allot_number, experiment, allot_variants, allot_reasons, revision
