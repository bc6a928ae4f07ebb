-- Written by "allot sql" for BigQuery: the variants of the experiments of revision 045fbcede476c885.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- With a period, "@" and the number of the window follow the ID.
-- The statement reads these columns of `app`.`rides`:
--   `city`: unit ID
--   `line`: unit ID
-- The instant of evaluation is that of each row in allot_source.`ordered_at`, which has the type TIMESTAMP.
-- From the documentation of BigQuery, not proved on the engine: compare some rows with "allot assign".
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    allot_source.`ordered_at` AS allot_at,
    NULLIF(COLLATE(CAST(allot_source.`city` AS STRING), ''), '') AS allot_city,
    NULLIF(COLLATE(CAST(allot_source.`line` AS STRING), ''), '') AS allot_line,
    allot_source.*
  FROM `app`.`rides` AS allot_source
  ),
  -- Unit IDs of several attributes: their texts with "|" between them.
  allot_units AS (
  SELECT
    CASE WHEN BYTE_LENGTH(allot_city) <= 1024 AND BYTE_LENGTH(allot_line) <= 1024 THEN CONCAT(replace(replace(allot_city, '\\', '\\\\'), '|', '\\|'), '|', replace(replace(allot_line, '\\', '\\\\'), '|', '\\|')) END AS allot_joined_city_line,
    *
  FROM allot_attributes
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    CASE WHEN BYTE_LENGTH(allot_joined_city_line) <= 1024 AND allot_at IS NOT NULL THEN allot_joined_city_line END AS allot_unit_city_line,
    DIV((UNIX_MICROS(allot_at) - 1780185600500000), 3600000000) AS allot_window_1h_2026_05_31t00_00_00_5z,
    CASE WHEN BYTE_LENGTH(allot_city) <= 1024 AND allot_at IS NOT NULL THEN allot_city END AS allot_unit_city,
    DIV((UNIX_MICROS(allot_at) - 1780264800000000), 86400000000) AS allot_window_1d_2026_05_31t22_00_00z,
    *
  FROM allot_units
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt.
  allot_digests AS (
  SELECT
    SHA256(CONCAT('price:', allot_unit_city_line, '@', COLLATE(CAST(allot_window_1h_2026_05_31t00_00_00_5z AS STRING), ''))) AS allot_digest_price_1h_2026_05_31t00_00_00_5z_c,
    SHA256(CONCAT('queue:', allot_unit_city, '@', COLLATE(CAST((allot_window_1d_2026_05_31t22_00_00z - MOD(allot_window_1d_2026_05_31t22_00_00z, 2)) AS STRING), ''))) AS allot_digest_queue_1d_2026_05_31t22_00_00z_bal,
    *
  FROM allot_readings
  ),
  -- Buckets: 40 bits of the hash, big-endian, times 1000000, shifted right by 40.
  allot_buckets AS (
  SELECT
    (CAST(CONCAT('0x', TO_HEX(SUBSTR(allot_digest_price_1h_2026_05_31t00_00_00_5z_c, 1, 5))) AS INT64) * 1000000) >> 40 AS allot_first_price_1h_2026_05_31t00_00_00_5z_ci,
    (CAST(CONCAT('0x', TO_HEX(SUBSTR(allot_digest_price_1h_2026_05_31t00_00_00_5z_c, 6, 5))) AS INT64) * 1000000) >> 40 AS allot_second_price_1h_2026_05_31t00_00_00_5z_c,
    ABS(999999 * MOD(allot_window_1d_2026_05_31t22_00_00z, 2) - ((CAST(CONCAT('0x', TO_HEX(SUBSTR(allot_digest_queue_1d_2026_05_31t22_00_00z_bal, 6, 5))) AS INT64) * 1000000) >> 40)) AS allot_mirrored_queue_1d_2026_05_31t22_00_00z_b,
    *
  FROM allot_digests
  )
SELECT
  * EXCEPT (
    allot_at, allot_city, allot_line, allot_joined_city_line, allot_unit_city_line,
    allot_window_1h_2026_05_31t00_00_00_5z, allot_unit_city, allot_window_1d_2026_05_31t22_00_00z,
    allot_digest_price_1h_2026_05_31t00_00_00_5z_c, allot_digest_queue_1d_2026_05_31t22_00_00z_bal,
    allot_first_price_1h_2026_05_31t00_00_00_5z_ci, allot_second_price_1h_2026_05_31t00_00_00_5z_c,
    allot_mirrored_queue_1d_2026_05_31t22_00_00z_b
  ),
  -- price, revision e028050c07099293
  CASE
    WHEN allot_unit_city_line IS NULL THEN NULL  -- no-unit
    WHEN allot_unit_city_line IN ('berlin|U1') THEN 'green'  -- forced
    WHEN allot_at < TIMESTAMP '2026-05-31 00:00:00.500000+00:00' THEN NULL  -- not-started
    WHEN allot_first_price_1h_2026_05_31t00_00_00_5z_ci >= 600000 THEN NULL  -- traffic
    WHEN allot_second_price_1h_2026_05_31t00_00_00_5z_c < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS `price`,
  -- queue, revision e06f552b57782a50
  CASE
    WHEN allot_unit_city IS NULL THEN NULL  -- no-unit
    WHEN allot_at < TIMESTAMP '2026-05-31 22:00:00.000000+00:00' THEN NULL  -- not-started
    WHEN allot_mirrored_queue_1d_2026_05_31t22_00_00z_b < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS `queue`
FROM allot_buckets
