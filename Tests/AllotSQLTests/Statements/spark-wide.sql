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
    NULLIF(CAST(concat(allot_source.`seats`, '') AS STRING), '') AS allot_seats,
    allot_source.*
  FROM `app`.`users` AS allot_source
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    CASE WHEN size(array_sort(array(allot_user_id), (one, other) -> 0)) = 0 THEN NULL ELSE CASE WHEN octet_length(allot_user_id) <= 1024 AND is_valid_utf8(allot_user_id) THEN allot_user_id END END AS allot_unit_user_id,
    CASE WHEN (allot_version RLIKE '(?d)^(v?(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?+)?+)?+)?+)?+(-([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)([.]([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*))*+)?+([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*+)?+)$' AND NOT endswith(allot_version, X'0a')) THEN allot_version END AS allot_version_version,
    CASE WHEN octet_length(allot_org_id) <= 1024 AND is_valid_utf8(allot_org_id) THEN allot_org_id END AS allot_unit_org_id,
    CASE WHEN octet_length(allot_seats) <= 40 AND (allot_seats RLIKE '(?d)^(-?[0-9]+([.][0-9]+)?+([eE][+-]?[0-9][0-9]?)?+)$' AND NOT endswith(allot_seats, X'0a')) THEN TRY_CAST(allot_seats AS DOUBLE) + 0 END AS allot_number_seats,
    *
  FROM allot_attributes
  ),
  -- Parts of what was read.
  allot_digests AS (
  SELECT
    split(regexp_extract(allot_version_version, '^v?([0-9.]+)', 1), '[.]') AS allot_numbers_version,
    CASE WHEN allot_version_version IS NOT NULL THEN regexp_extract(allot_version_version, '^v?[0-9.]+-([0-9A-Za-z.-]+)', 1) END AS allot_prerelease_version,
    *
  FROM allot_readings
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt. A bucket is below B of 1000000 if its ten digits
  -- are below those of B * 2^40 / 1000000, rounded up.
  allot_buckets AS (
  SELECT
    CASE WHEN allot_version_version IS NOT NULL THEN concat(CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 0), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 0), ''), ''), '0'), CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 1), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 1), ''), ''), '0'), CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 2), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 2), ''), ''), '0'), CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 3), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 3), ''), ''), '0'), CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 4), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 4), ''), ''), '0'), CAST(100000000 + length(COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 5), ''), ''), '0')) AS STRING), COALESCE(NULLIF(COALESCE(get(allot_numbers_version, 5), ''), ''), '0')) END AS allot_core_version,
    substr(binary(SHA2(concat('button:', allot_unit_user_id), 256)), 1, 20) AS allot_digest_button,
    substr(binary(SHA2(concat('price:', allot_unit_org_id), 256)), 1, 20) AS allot_digest_price_org_id,
    *
  FROM allot_digests
  ),
  -- Variants that other experiments require.
  allot_required_1 AS (
  SELECT
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
    END AS allot_variant_button,
    *
  FROM allot_buckets
  )
SELECT
  * EXCEPT (
    allot_user_id, allot_country, allot_version, allot_org_id, allot_seats, allot_unit_user_id,
    allot_version_version, allot_unit_org_id, allot_number_seats, allot_numbers_version,
    allot_prerelease_version, allot_core_version, allot_digest_button, allot_digest_price_org_id,
    allot_variant_button
  ),
  -- button, revision 75aae4c86ec22dd0
  allot_variant_button AS `button`,
  -- layout, revision b3805d544e1cf75c
  CASE
    WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
    ELSE 'green'  -- winner
  END AS `layout`,
  -- price, revision 20e474de42113b0e
  CASE
    WHEN allot_unit_org_id IS NULL THEN NULL  -- no-unit
    WHEN NOT COALESCE(allot_variant_button IN ('green'), FALSE) THEN NULL  -- requirement
    WHEN NOT COALESCE(allot_number_seats >= CAST('2.5' AS DOUBLE), FALSE) THEN NULL  -- audience
    WHEN substr(allot_digest_price_org_id, 11, 10) < binary('8000000000') /* 500000 */ THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS `price`
FROM allot_required_1
