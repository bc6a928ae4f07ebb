-- Written by "allot sql" for ClickHouse: the variants of the experiments of revision 045fbcede476c885.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- With a period, "@" and the number of the window follow the ID.
-- The statement reads these columns of `app`.`rides`:
--   `city`: unit ID
--   `line`: unit ID
-- The instant of evaluation is that of each row in allot_source.`ordered_at`, which has the type DateTime64.
-- Proved equal to Allot's own decisions on ClickHouse 26.9.
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    allot_source.`ordered_at` AS allot_at,
    NULLIF(toString(toNullable(allot_source.`city`)), '') AS allot_city,
    NULLIF(toString(toNullable(allot_source.`line`)), '') AS allot_line,
    allot_source.*
  FROM `app`.`rides` AS allot_source
  ),
  -- Unit IDs of several attributes: their texts with "|" between them.
  allot_units AS (
  SELECT
    CASE WHEN length(allot_city) <= 1024 AND isValidUTF8(allot_city) AND length(allot_line) <= 1024 AND isValidUTF8(allot_line) THEN concat(replace(replace(allot_city, '\x5c', '\x5c\x5c'), '|', '\x5c|'), '|', replace(replace(allot_line, '\x5c', '\x5c\x5c'), '|', '\x5c|')) END AS allot_joined_city_line,
    *
  FROM allot_attributes
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    CASE WHEN length(allot_joined_city_line) <= 1024 AND isValidUTF8(allot_joined_city_line) AND allot_at IS NOT NULL THEN allot_joined_city_line END AS allot_unit_city_line,
    intDiv(age('second', toDateTime64('2026-05-31 00:00:00.500000', 6, 'UTC'), allot_at, 'UTC'), 3600) AS allot_window_1h_2026_05_31t00_00_00_5z,
    CASE WHEN length(allot_city) <= 1024 AND isValidUTF8(allot_city) AND allot_at IS NOT NULL THEN allot_city END AS allot_unit_city,
    intDiv(age('second', toDateTime64('2026-05-31 22:00:00.000000', 6, 'UTC'), allot_at, 'UTC'), 86400) AS allot_window_1d_2026_05_31t22_00_00z,
    *
  FROM allot_units
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt.
  allot_digests AS (
  SELECT
    SHA256(concat('price:', allot_unit_city_line, '@', toString(allot_window_1h_2026_05_31t00_00_00_5z))) AS allot_digest_price_1h_2026_05_31t00_00_00_5z_c,
    SHA256(concat('queue:', allot_unit_city, '@', toString((allot_window_1d_2026_05_31t22_00_00z - MOD(allot_window_1d_2026_05_31t22_00_00z, 2))))) AS allot_digest_queue_1d_2026_05_31t22_00_00z_bal,
    *
  FROM allot_readings
  ),
  -- Buckets: 40 bits of the hash, big-endian, times 1000000, shifted right by 40.
  allot_buckets AS (
  SELECT
    bitShiftRight(bitShiftRight(byteSwap(reinterpretAsUInt64(substring(allot_digest_price_1h_2026_05_31t00_00_00_5z_c, 1, 8))), 24) * 1000000, 40) AS allot_first_price_1h_2026_05_31t00_00_00_5z_ci,
    bitShiftRight(bitShiftRight(byteSwap(reinterpretAsUInt64(substring(allot_digest_price_1h_2026_05_31t00_00_00_5z_c, 6, 8))), 24) * 1000000, 40) AS allot_second_price_1h_2026_05_31t00_00_00_5z_c,
    ABS(999999 * MOD(allot_window_1d_2026_05_31t22_00_00z, 2) - (bitShiftRight(bitShiftRight(byteSwap(reinterpretAsUInt64(substring(allot_digest_queue_1d_2026_05_31t22_00_00z_bal, 6, 8))), 24) * 1000000, 40))) AS allot_mirrored_queue_1d_2026_05_31t22_00_00z_b,
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
    WHEN ignore(allot_at, allot_unit_city_line, allot_first_price_1h_2026_05_31t00_00_00_5z_ci, allot_second_price_1h_2026_05_31t00_00_00_5z_c) THEN NULL
    WHEN allot_unit_city_line IS NULL THEN NULL  -- no-unit
    WHEN allot_unit_city_line IN ('berlin|U1') THEN 'green'  -- forced
    WHEN allot_at < toDateTime64('2026-05-31 00:00:00.500000', 6, 'UTC') THEN NULL  -- not-started
    WHEN allot_first_price_1h_2026_05_31t00_00_00_5z_ci >= 600000 THEN NULL  -- traffic
    WHEN allot_second_price_1h_2026_05_31t00_00_00_5z_c < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS `price`,
  -- queue, revision e06f552b57782a50
  CASE
    WHEN ignore(allot_at, allot_unit_city, allot_mirrored_queue_1d_2026_05_31t22_00_00z_b) THEN NULL
    WHEN allot_unit_city IS NULL THEN NULL  -- no-unit
    WHEN allot_at < toDateTime64('2026-05-31 22:00:00.000000', 6, 'UTC') THEN NULL  -- not-started
    WHEN allot_mirrored_queue_1d_2026_05_31t22_00_00z_b < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS `queue`
FROM allot_buckets
