-- Written by "allot sql" for Redshift: the variants of the experiments of revision 045fbcede476c885.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- With a period, "@" and the number of the window follow the ID.
-- The statement reads these columns of "app"."rides":
--   "city": unit ID
--   "line": unit ID
-- The instant of evaluation is that of each row in allot_source."ordered_at", which has the type TIMESTAMPTZ.
-- From the documentation of Redshift, not proved on the engine: compare some rows with "allot assign".
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    allot_source."ordered_at" AS allot_at,
    NULLIF(COLLATE(CAST(allot_source."city" AS VARCHAR(65535)), 'case_sensitive'), '') AS allot_city,
    NULLIF(COLLATE(CAST(allot_source."line" AS VARCHAR(65535)), 'case_sensitive'), '') AS allot_line,
    allot_source.*
  FROM "app"."rides" AS allot_source
  ),
  -- Unit IDs of several attributes: their texts with "|" between them.
  allot_units AS (
  SELECT
    CASE WHEN octet_length(allot_city) <= 1024 AND octet_length(allot_line) <= 1024 THEN (replace(replace(allot_city, ('' || CHR(92)), (CHR(92) || CHR(92))), '|', (CHR(92) || '|')) || '|' || replace(replace(allot_line, ('' || CHR(92)), (CHR(92) || CHR(92))), '|', (CHR(92) || '|'))) END AS allot_joined_city_line,
    *
  FROM allot_attributes
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    CASE WHEN octet_length(allot_joined_city_line) <= 1024 AND allot_at IS NOT NULL THEN allot_joined_city_line END AS allot_unit_city_line,
    ((DATEDIFF(microsecond, TIMESTAMP '1970-01-01 00:00:00', allot_at AT TIME ZONE 'UTC') - 1780185600500000) / 3600000000) AS allot_window_1h_2026_05_31t00_00_00_5z,
    CASE WHEN octet_length(allot_city) <= 1024 AND allot_at IS NOT NULL THEN allot_city END AS allot_unit_city,
    ((DATEDIFF(microsecond, TIMESTAMP '1970-01-01 00:00:00', allot_at AT TIME ZONE 'UTC') - 1780264800000000) / 86400000000) AS allot_window_1d_2026_05_31t22_00_00z,
    *
  FROM allot_units
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt.
  allot_digests AS (
  SELECT
    SHA2(('price:' || allot_unit_city_line || '@' || COLLATE(CAST(allot_window_1h_2026_05_31t00_00_00_5z AS VARCHAR(65535)), 'case_sensitive')), 256) AS allot_digest_price_1h_2026_05_31t00_00_00_5z_c,
    SHA2(('queue:' || allot_unit_city || '@' || COLLATE(CAST((allot_window_1d_2026_05_31t22_00_00z - MOD(allot_window_1d_2026_05_31t22_00_00z, 2)) AS VARCHAR(65535)), 'case_sensitive')), 256) AS allot_digest_queue_1d_2026_05_31t22_00_00z_bal,
    *
  FROM allot_readings
  ),
  -- Buckets: 40 bits of the hash, big-endian, times 1000000, shifted right by 40.
  allot_buckets AS (
  SELECT
    (STRTOL(SUBSTRING(allot_digest_price_1h_2026_05_31t00_00_00_5z_c, 1, 10), 16) * 1000000) >> 40 AS allot_first_price_1h_2026_05_31t00_00_00_5z_ci,
    (STRTOL(SUBSTRING(allot_digest_price_1h_2026_05_31t00_00_00_5z_c, 11, 10), 16) * 1000000) >> 40 AS allot_second_price_1h_2026_05_31t00_00_00_5z_c,
    ABS(999999 * MOD(allot_window_1d_2026_05_31t22_00_00z, 2) - ((STRTOL(SUBSTRING(allot_digest_queue_1d_2026_05_31t22_00_00z_bal, 11, 10), 16) * 1000000) >> 40)) AS allot_mirrored_queue_1d_2026_05_31t22_00_00z_b,
    *
  FROM allot_digests
  )
SELECT
  *,
  -- price, revision e028050c07099293
  CASE
    WHEN allot_unit_city_line IS NULL THEN NULL  -- no-unit
    WHEN allot_unit_city_line IN ('berlin|U1') THEN 'green'  -- forced
    WHEN allot_at < CAST('2026-05-31 00:00:00.500000+00' AS TIMESTAMPTZ) THEN NULL  -- not-started
    WHEN allot_first_price_1h_2026_05_31t00_00_00_5z_ci >= 600000 THEN NULL  -- traffic
    WHEN allot_second_price_1h_2026_05_31t00_00_00_5z_c < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS "price",
  -- queue, revision e06f552b57782a50
  CASE
    WHEN allot_unit_city IS NULL THEN NULL  -- no-unit
    WHEN allot_at < CAST('2026-05-31 22:00:00.000000+00' AS TIMESTAMPTZ) THEN NULL  -- not-started
    WHEN allot_mirrored_queue_1d_2026_05_31t22_00_00z_b < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS "queue"
  EXCLUDE (
    allot_at, allot_city, allot_line, allot_joined_city_line, allot_unit_city_line,
    allot_window_1h_2026_05_31t00_00_00_5z, allot_unit_city, allot_window_1d_2026_05_31t22_00_00z,
    allot_digest_price_1h_2026_05_31t00_00_00_5z_c, allot_digest_queue_1d_2026_05_31t22_00_00z_bal,
    allot_first_price_1h_2026_05_31t00_00_00_5z_ci, allot_second_price_1h_2026_05_31t00_00_00_5z_c,
    allot_mirrored_queue_1d_2026_05_31t22_00_00z_b
  )
FROM allot_buckets
