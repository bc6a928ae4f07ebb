-- Written by "allot sql" for Trino: the variants of the experiments of revision 5a5aa40ef67a57ad.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- The statement reads these columns of "app"."users":
--   "id": unit ID
--   "country": text
--   "version": version
--   "org_id": unit ID
--   "seats": number
-- The instant of evaluation is 2026-06-01T00:00:00Z.
-- From the documentation of Trino, not proved on the engine: compare some rows with "allot assign".
SELECT unit, experiment, variant, reason, bucket, revision
FROM "app"."users" AS allot_source
-- Unit IDs and attributes as text. What is empty is missing.
CROSS JOIN LATERAL (
  SELECT
    NULLIF(CAST(allot_source."id" AS VARCHAR), '') AS allot_user_id,
    NULLIF(CAST(allot_source."country" AS VARCHAR), '') AS allot_country,
    NULLIF(CAST(allot_source."version" AS VARCHAR), '') AS allot_version,
    NULLIF(CAST(allot_source."org_id" AS VARCHAR), '') AS allot_org_id,
    NULLIF(CAST(allot_source."seats" AS VARCHAR), '') AS allot_seats
) AS allot_attributes
-- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
CROSS JOIN LATERAL (
  SELECT
    CASE WHEN length(to_utf8(allot_user_id)) <= 1024 THEN allot_user_id END AS allot_unit_user_id,
    CASE WHEN (regexp_like(allot_version, '^(v?(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?+)?+)?+)?+)?+(-([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)([.]([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*))*+)?+([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*+)?+)$') AND substr(allot_version, -1) <> chr(10)) THEN allot_version END AS allot_version_version,
    CASE WHEN length(to_utf8(allot_org_id)) <= 1024 THEN allot_org_id END AS allot_unit_org_id,
    CASE WHEN length(to_utf8(allot_seats)) <= 40 AND (regexp_like(allot_seats, '^(-?[0-9]+([.][0-9]+)?+([eE][+-]?[0-9][0-9]?)?+)$') AND substr(allot_seats, -1) <> chr(10)) THEN TRY_CAST(allot_seats AS DOUBLE) + 0 END AS allot_number_seats
) AS allot_readings
-- One SHA-256 of salt, ":" and unit ID for each salt.
CROSS JOIN LATERAL (
  SELECT
    COALESCE(regexp_extract(allot_version_version, '^v?([0-9.]+)', 1), '') AS allot_numbers_version,
    CASE WHEN allot_version_version IS NOT NULL THEN COALESCE(regexp_extract(allot_version_version, '^v?[0-9.]+-([0-9A-Za-z.-]+)', 1), '') END AS allot_prerelease_version,
    sha256(to_utf8(('button:' || allot_unit_user_id))) AS allot_digest_button,
    sha256(to_utf8(('price:' || allot_unit_org_id))) AS allot_digest_price_org_id
) AS allot_digests
-- Buckets: 40 bits of the hash, big-endian, times 1000000, shifted right by 40.
CROSS JOIN LATERAL (
  SELECT
    CASE WHEN allot_version_version IS NOT NULL THEN (CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 1), ''), ''), '0')) AS VARCHAR) || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 1), ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 2), ''), ''), '0')) AS VARCHAR) || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 2), ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 3), ''), ''), '0')) AS VARCHAR) || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 3), ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 4), ''), ''), '0')) AS VARCHAR) || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 4), ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 5), ''), ''), '0')) AS VARCHAR) || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 5), ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 6), ''), ''), '0')) AS VARCHAR) || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 6), ''), ''), '0')) END AS allot_core_version,
    bitwise_right_shift(from_big_endian_64(concat(X'000000', substr(allot_digest_button, 1, 5))) * 1000000, 40) AS allot_first_button,
    bitwise_right_shift(from_big_endian_64(concat(X'000000', substr(allot_digest_button, 6, 5))) * 1000000, 40) AS allot_second_button,
    bitwise_right_shift(from_big_endian_64(concat(X'000000', substr(allot_digest_price_org_id, 6, 5))) * 1000000, 40) AS allot_second_price_org_id
) AS allot_buckets
-- Variants that other experiments require.
CROSS JOIN LATERAL (
  SELECT
    CASE
      WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
      WHEN allot_unit_user_id IN ('it''s me') THEN 'green'  -- forced
      WHEN NOT COALESCE(allot_country IN ('CÔTE D''IVOIRE', 'DE')
          AND (allot_core_version > '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
            OR (allot_core_version = '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
              AND allot_prerelease_version = '')), FALSE)
      THEN NULL  -- audience
      WHEN allot_first_button >= 800000 THEN NULL  -- traffic
      WHEN allot_second_button < 500000 THEN 'control'  -- split
      ELSE 'green'  -- split
    END AS allot_variant_button
) AS allot_required_1
-- The first check that applies gives the reason.
CROSS JOIN LATERAL (
  SELECT
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_unit_user_id IN ('it''s me') THEN 'forced'
      WHEN NOT COALESCE(allot_country IN ('CÔTE D''IVOIRE', 'DE')
          AND (allot_core_version > '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
            OR (allot_core_version = '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
              AND allot_prerelease_version = '')), FALSE)
      THEN 'audience'
      WHEN allot_first_button >= 800000 THEN 'traffic'
      ELSE 'split'
    END AS allot_reason_button,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      ELSE 'winner'
    END AS allot_reason_layout,
    CASE
      WHEN allot_unit_org_id IS NULL THEN 'no-unit'
      WHEN NOT COALESCE(allot_variant_button IN ('green'), FALSE) THEN 'requirement'
      WHEN NOT COALESCE(allot_number_seats >= CAST('2.5' AS DOUBLE), FALSE) THEN 'audience'
      ELSE 'split'
    END AS allot_reason_price
) AS allot_reasons
-- The variants that are assigned.
CROSS JOIN LATERAL (
  SELECT
    CASE
      WHEN allot_reason_layout = 'winner' THEN 'green'
    END AS allot_variant_layout,
    CASE
      WHEN allot_reason_price <> 'split' THEN NULL
      WHEN allot_second_price_org_id < 500000 THEN 'control'
      ELSE 'green'
    END AS allot_variant_price
) AS allot_variants
CROSS JOIN UNNEST(ARRAY[
  ROW(allot_user_id, 'button', allot_variant_button, allot_reason_button, CASE WHEN allot_reason_button = 'split' THEN allot_second_button END, '75aae4c86ec22dd0'),
  ROW(allot_user_id, 'layout', allot_variant_layout, allot_reason_layout, CAST(NULL AS BIGINT), 'b3805d544e1cf75c'),
  ROW(allot_org_id, 'price', allot_variant_price, allot_reason_price, CASE WHEN allot_reason_price = 'split' THEN allot_second_price_org_id END, '20e474de42113b0e')
]) AS allot_decisions (unit, experiment, variant, reason, bucket, revision)
