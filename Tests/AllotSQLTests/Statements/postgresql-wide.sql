-- Written by "allot sql" for PostgreSQL: the variants of the experiments of revision 5a5aa40ef67a57ad.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- The statement reads these columns of "app"."users":
--   "id": unit ID
--   "country": text
--   "version": version
--   "org_id": unit ID
--   "seats": number
-- The instant of evaluation is 2026-06-01T00:00:00Z.
-- Proved equal to Allot's own decisions on PostgreSQL 15.
-- The encoding of the database must be UTF8 (SHOW server_encoding).
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    NULLIF(CAST((allot_source."id" || '') AS text) COLLATE "C", '') AS allot_user_id,
    NULLIF(CAST((allot_source."country" || '') AS text) COLLATE "C", '') AS allot_country,
    NULLIF(CAST((allot_source."version" || '') AS text) COLLATE "C", '') AS allot_version,
    NULLIF(CAST((allot_source."org_id" || '') AS text) COLLATE "C", '') AS allot_org_id,
    NULLIF(CAST((allot_source."seats" || '') AS text) COLLATE "C", '') AS allot_seats,
    allot_source AS allot_row
  FROM "app"."users" AS allot_source
  OFFSET 0
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    CASE WHEN octet_length(allot_user_id) <= 1024 THEN allot_user_id END AS allot_unit_user_id,
    CASE WHEN allot_version ~ '^(v?(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?)?)?)?)?(-([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)([.]([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*))*)?([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?)$' THEN allot_version END AS allot_version_version,
    CASE WHEN octet_length(allot_org_id) <= 1024 THEN allot_org_id END AS allot_unit_org_id,
    CASE WHEN octet_length(allot_seats) <= 40 AND allot_seats ~ '^(-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9][0-9]?)?)$' THEN CAST(allot_seats AS double precision) + 0 END AS allot_number_seats,
    *
  FROM allot_attributes
  OFFSET 0
  ),
  -- Parts of what was read.
  allot_digests AS (
  SELECT
    COALESCE(substring(allot_version_version FROM '^v?([0-9.]+)'), '') AS allot_numbers_version,
    CASE WHEN allot_version_version IS NOT NULL THEN COALESCE(substring(allot_version_version FROM '^v?[0-9.]+-([0-9A-Za-z.-]+)'), '') END AS allot_prerelease_version,
    *
  FROM allot_readings
  OFFSET 0
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt. A bucket is below B of 1000000 if its ten digits
  -- are below those of B * 2^40 / 1000000, rounded up.
  allot_buckets AS (
  SELECT
    CASE WHEN allot_version_version IS NOT NULL THEN (CAST(100000000 + length(COALESCE(NULLIF(split_part(allot_numbers_version, '.', 1), ''), '0')) AS text) COLLATE "C" || COALESCE(NULLIF(split_part(allot_numbers_version, '.', 1), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(split_part(allot_numbers_version, '.', 2), ''), '0')) AS text) COLLATE "C" || COALESCE(NULLIF(split_part(allot_numbers_version, '.', 2), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(split_part(allot_numbers_version, '.', 3), ''), '0')) AS text) COLLATE "C" || COALESCE(NULLIF(split_part(allot_numbers_version, '.', 3), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(split_part(allot_numbers_version, '.', 4), ''), '0')) AS text) COLLATE "C" || COALESCE(NULLIF(split_part(allot_numbers_version, '.', 4), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(split_part(allot_numbers_version, '.', 5), ''), '0')) AS text) COLLATE "C" || COALESCE(NULLIF(split_part(allot_numbers_version, '.', 5), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(split_part(allot_numbers_version, '.', 6), ''), '0')) AS text) COLLATE "C" || COALESCE(NULLIF(split_part(allot_numbers_version, '.', 6), ''), '0')) END AS allot_core_version,
    sha256(convert_to(('button:' || allot_unit_user_id), 'UTF8')) AS allot_digest_button,
    sha256(convert_to(('price:' || allot_unit_org_id), 'UTF8')) AS allot_digest_price_org_id,
    *
  FROM allot_digests
  OFFSET 0
  ),
  -- Variants that other experiments require.
  allot_required_1 AS (
  SELECT
    CASE
      WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
      WHEN allot_unit_user_id IN ('it''s me') THEN 'green'  -- forced
      WHEN NOT COALESCE(allot_country IN ('CÔTE D''IVOIRE', 'DE')
          AND (allot_core_version > '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
            OR (allot_core_version = '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
              AND allot_prerelease_version = '')), FALSE)
      THEN NULL  -- audience
      WHEN allot_digest_button >= decode('cccccccccd', 'hex') /* 800000 */ THEN NULL  -- traffic
      WHEN substr(allot_digest_button, 6) < decode('8000000000', 'hex') /* 500000 */ THEN 'control'  -- split
      ELSE 'green'  -- split
    END AS allot_variant_button,
    *
  FROM allot_buckets
  OFFSET 0
  )
SELECT
  (allot_row).*,
  -- button, revision 75aae4c86ec22dd0
  allot_variant_button AS "button",
  -- layout, revision b3805d544e1cf75c
  CASE
    WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
    ELSE 'green'  -- winner
  END AS "layout",
  -- price, revision 20e474de42113b0e
  CASE
    WHEN allot_unit_org_id IS NULL THEN NULL  -- no-unit
    WHEN NOT COALESCE(allot_variant_button IN ('green'), FALSE) THEN NULL  -- requirement
    WHEN NOT COALESCE(allot_number_seats >= CAST('2.5' AS double precision), FALSE) THEN NULL  -- audience
    WHEN substr(allot_digest_price_org_id, 6) < decode('8000000000', 'hex') /* 500000 */ THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS "price"
FROM allot_required_1
