-- Written by "allot sql" for DuckDB: the variants of the experiments of revision 5a5aa40ef67a57ad.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- The statement reads these columns of "app"."users":
--   "id": unit ID
--   "country": text
--   "version": version
--   "org_id": unit ID
--   "seats": number
-- The instant of evaluation is 2026-06-01T00:00:00Z.
-- Proved equal to Allot's own decisions on DuckDB 2.0.
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    NULLIF(CAST((allot_source."id" || '') AS VARCHAR) COLLATE "C", '') AS allot_user_id,
    NULLIF(CAST((allot_source."country" || '') AS VARCHAR) COLLATE "C", '') AS allot_country,
    NULLIF(CAST((allot_source."version" || '') AS VARCHAR) COLLATE "C", '') AS allot_version,
    NULLIF(CAST((allot_source."org_id" || '') AS VARCHAR) COLLATE "C", '') AS allot_org_id,
    NULLIF(CAST((allot_source."seats" || '') AS VARCHAR) COLLATE "C", '') AS allot_seats
  FROM "app"."users" AS allot_source
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    allot_user_id, allot_country, allot_org_id,
    CASE WHEN strlen(allot_user_id) <= 1024 THEN allot_user_id END AS allot_unit_user_id,
    CASE WHEN regexp_full_match(allot_version, 'v?(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?)?)?)?)?(-([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)([.]([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*))*)?([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?') THEN allot_version END AS allot_version_version,
    CASE WHEN strlen(allot_org_id) <= 1024 THEN allot_org_id END AS allot_unit_org_id,
    CASE WHEN strlen(allot_seats) <= 40 AND regexp_full_match(allot_seats, '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9][0-9]?)?') THEN TRY_CAST(allot_seats AS DOUBLE) + 0 END AS allot_number_seats
  FROM allot_attributes
  ),
  -- Parts of what was read.
  allot_digests AS (
  SELECT
    allot_user_id, allot_country, allot_org_id, allot_unit_user_id, allot_version_version, allot_unit_org_id,
    allot_number_seats,
    regexp_extract(allot_version_version, '^v?([0-9.]+)', 1) COLLATE "C" AS allot_numbers_version,
    CASE WHEN allot_version_version IS NOT NULL THEN regexp_extract(allot_version_version, '^v?[0-9.]+-([0-9A-Za-z.-]+)', 1) COLLATE "C" END AS allot_prerelease_version
  FROM allot_readings
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt. A bucket is below B of 1000000 if its ten digits
  -- are below those of B * 2^40 / 1000000, rounded up.
  allot_buckets AS (
  SELECT
    allot_user_id, allot_country, allot_org_id, allot_unit_user_id, allot_unit_org_id, allot_number_seats,
    allot_prerelease_version,
    CASE WHEN allot_version_version IS NOT NULL THEN (CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 1) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 1) COLLATE "C", ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 2) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 2) COLLATE "C", ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 3) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 3) COLLATE "C", ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 4) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 4) COLLATE "C", ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 5) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 5) COLLATE "C", ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 6) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_version, '.', 6) COLLATE "C", ''), ''), '0')) END AS allot_core_version,
    sha256('button:' || allot_unit_user_id) COLLATE "C" AS allot_digest_button,
    sha256('price:' || allot_unit_org_id) COLLATE "C" AS allot_digest_price_org_id
  FROM allot_digests
  ),
  -- Variants that other experiments require.
  allot_required_1 AS (
  SELECT
    allot_user_id, allot_country, allot_org_id, allot_unit_user_id, allot_unit_org_id, allot_number_seats,
    allot_prerelease_version, allot_core_version, allot_digest_button, allot_digest_price_org_id,
    CASE
      WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
      WHEN allot_unit_user_id IN ('it''s me') THEN 'green'  -- forced
      WHEN NOT COALESCE(allot_country IN ('CÔTE D''IVOIRE', 'DE')
          AND (allot_core_version > '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
            OR (allot_core_version = '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
              AND allot_prerelease_version = '')), FALSE)
      THEN NULL  -- audience
      WHEN allot_digest_button >= 'cccccccccd' /* 800000 */ THEN NULL  -- traffic
      WHEN substr(allot_digest_button, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'control'  -- split
      ELSE 'green'  -- split
    END AS allot_variant_button
  FROM allot_buckets
  ),
  -- The first check that applies gives the reason.
  allot_reasons AS (
  SELECT
    allot_user_id, allot_org_id, allot_digest_button, allot_digest_price_org_id, allot_variant_button,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_unit_user_id IN ('it''s me') THEN 'forced'
      WHEN NOT COALESCE(allot_country IN ('CÔTE D''IVOIRE', 'DE')
          AND (allot_core_version > '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
            OR (allot_core_version = '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
              AND allot_prerelease_version = '')), FALSE)
      THEN 'audience'
      WHEN allot_digest_button >= 'cccccccccd' /* 800000 */ THEN 'traffic'
      ELSE 'split'
    END AS allot_reason_button,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      ELSE 'winner'
    END AS allot_reason_layout,
    CASE
      WHEN allot_unit_org_id IS NULL THEN 'no-unit'
      WHEN NOT COALESCE(allot_variant_button COLLATE "C" IN ('green'), FALSE) THEN 'requirement'
      WHEN NOT COALESCE(allot_number_seats >= CAST('2.5' AS DOUBLE), FALSE) THEN 'audience'
      ELSE 'split'
    END AS allot_reason_price
  FROM allot_required_1
  ),
  -- The variants that are assigned.
  allot_variants AS (
  SELECT
    allot_user_id, allot_org_id, allot_digest_button, allot_digest_price_org_id, allot_variant_button,
    allot_reason_button, allot_reason_layout, allot_reason_price,
    CASE
      WHEN allot_reason_layout = 'winner' THEN 'green'
    END AS allot_variant_layout,
    CASE
      WHEN allot_reason_price <> 'split' THEN NULL
      WHEN substr(allot_digest_price_org_id, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'control'
      ELSE 'green'
    END AS allot_variant_price
  FROM allot_reasons
  )
SELECT decision.unit, decision.experiment, decision.variant, decision.reason, decision.bucket, decision.revision
FROM (
  SELECT
    unnest([
      {unit: allot_user_id, experiment: 'button', variant: allot_variant_button, reason: allot_reason_button, bucket: CASE WHEN allot_reason_button = 'split' THEN (CAST('0x' || substr(allot_digest_button, 11, 10) AS BIGINT) * 1000000) >> 40 END, revision: '75aae4c86ec22dd0'},
      {unit: allot_user_id, experiment: 'layout', variant: allot_variant_layout, reason: allot_reason_layout, bucket: CAST(NULL AS BIGINT), revision: 'b3805d544e1cf75c'},
      {unit: allot_org_id, experiment: 'price', variant: allot_variant_price, reason: allot_reason_price, bucket: CASE WHEN allot_reason_price = 'split' THEN (CAST('0x' || substr(allot_digest_price_org_id, 11, 10) AS BIGINT) * 1000000) >> 40 END, revision: '20e474de42113b0e'}
    ]) AS decision
  FROM allot_variants
) AS allot_rows
