-- Written by "allot sql" for DuckDB: the variants of the experiments of revision 81f63dbbb5248dbd.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- The statement reads these columns of "users":
--   "user_id": unit ID, text
--   "country": text
--   "app_version": version
--   "platform": text
--   "org_id": unit ID
--   "plan": text
--   "orders": number
--   "is_subscriber": boolean
-- The instant of evaluation is 2026-11-21T12:00:00Z.
-- Proved equal to Allot's own decisions on DuckDB 2.0.
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    NULLIF(CAST((allot_source."user_id" || '') AS VARCHAR) COLLATE "C", '') AS allot_user_id,
    NULLIF(CAST((allot_source."country" || '') AS VARCHAR) COLLATE "C", '') AS allot_country,
    NULLIF(CAST((allot_source."app_version" || '') AS VARCHAR) COLLATE "C", '') AS allot_app_version,
    NULLIF(CAST((allot_source."platform" || '') AS VARCHAR) COLLATE "C", '') AS allot_platform,
    NULLIF(CAST((allot_source."org_id" || '') AS VARCHAR) COLLATE "C", '') AS allot_org_id,
    NULLIF(CAST((allot_source."plan" || '') AS VARCHAR) COLLATE "C", '') AS allot_plan,
    NULLIF(CAST((allot_source."orders" || '') AS VARCHAR) COLLATE "C", '') AS allot_orders,
    NULLIF(CAST((allot_source."is_subscriber" || '') AS VARCHAR) COLLATE "C", '') AS allot_is_subscriber,
    allot_source.*
  FROM "users" AS allot_source
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    CASE WHEN strlen(allot_user_id) <= 1024 THEN allot_user_id END AS allot_unit_user_id,
    CASE WHEN regexp_full_match(allot_app_version, 'v?(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?)?)?)?)?(-([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)([.]([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*))*)?([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?') THEN allot_app_version END AS allot_version_app_version,
    CASE WHEN strlen(allot_org_id) <= 1024 THEN allot_org_id END AS allot_unit_org_id,
    CASE WHEN strlen(allot_orders) <= 40 AND regexp_full_match(allot_orders, '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9][0-9]?)?') THEN TRY_CAST(allot_orders AS DOUBLE) + 0 END AS allot_number_orders,
    *
  FROM allot_attributes
  ),
  -- Parts of what was read.
  allot_digests AS (
  SELECT
    regexp_extract(allot_version_app_version, '^v?([0-9.]+)', 1) COLLATE "C" AS allot_numbers_app_version,
    CASE WHEN allot_version_app_version IS NOT NULL THEN regexp_extract(allot_version_app_version, '^v?[0-9.]+-([0-9A-Za-z.-]+)', 1) COLLATE "C" END AS allot_prerelease_app_version,
    *
  FROM allot_readings
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt. A bucket is below B of 1000000 if its ten digits
  -- are below those of B * 2^40 / 1000000, rounded up.
  allot_buckets AS (
  SELECT
    sha256('h2-2026:' || allot_unit_user_id) COLLATE "C" AS allot_digest_h2_2026,
    sha256('checkout:' || allot_unit_user_id) COLLATE "C" AS allot_digest_checkout,
    sha256('buy-button:' || allot_unit_user_id) COLLATE "C" AS allot_digest_buy_button,
    CASE WHEN allot_version_app_version IS NOT NULL THEN (CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 1) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 1) COLLATE "C", ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 2) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 2) COLLATE "C", ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 3) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 3) COLLATE "C", ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 4) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 4) COLLATE "C", ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 5) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 5) COLLATE "C", ''), ''), '0') || CAST(100000000 + length(COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 6) COLLATE "C", ''), ''), '0')) AS VARCHAR) COLLATE "C" || COALESCE(NULLIF(COALESCE(split_part(allot_numbers_app_version, '.', 6) COLLATE "C", ''), ''), '0')) END AS allot_core_app_version,
    sha256('free-shipping-bar:' || allot_unit_user_id) COLLATE "C" AS allot_digest_free_shipping_bar,
    sha256('b2b-2026:' || allot_unit_org_id) COLLATE "C" AS allot_digest_b2b_2026_org_id,
    sha256('invoice-days:' || allot_unit_org_id) COLLATE "C" AS allot_digest_invoice_days_org_id,
    sha256('search-ranking.2:' || allot_unit_user_id) COLLATE "C" AS allot_digest_search_ranking_2,
    sha256('short-checkout:' || allot_unit_user_id) COLLATE "C" AS allot_digest_short_checkout,
    sha256('winter-banner:' || allot_unit_user_id) COLLATE "C" AS allot_digest_winter_banner,
    sha256('search-page-size:' || allot_unit_user_id) COLLATE "C" AS allot_digest_search_page_size,
    *
  FROM allot_digests
  ),
  -- Variants that other experiments require.
  allot_required_1 AS (
  SELECT
    CASE
      WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
      WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN NULL  -- holdout
      WHEN substr(allot_digest_search_ranking_2, 11) COLLATE "C" < '6666666667' /* 400000 */ THEN 'keyword'  -- split
      WHEN substr(allot_digest_search_ranking_2, 11) COLLATE "C" < 'a666666667' /* 650000 */ THEN 'popularity'  -- split
      WHEN substr(allot_digest_search_ranking_2, 11) COLLATE "C" < 'e666666667' /* 900000 */ THEN 'semantic'  -- split
      ELSE NULL  -- unallocated
    END AS allot_variant_search_ranking,
    *
  FROM allot_buckets
  )
SELECT
  * EXCLUDE (
    allot_user_id, allot_country, allot_app_version, allot_platform, allot_org_id, allot_plan, allot_orders,
    allot_is_subscriber, allot_unit_user_id, allot_version_app_version, allot_unit_org_id, allot_number_orders,
    allot_numbers_app_version, allot_prerelease_app_version, allot_digest_h2_2026, allot_digest_checkout,
    allot_digest_buy_button, allot_core_app_version, allot_digest_free_shipping_bar,
    allot_digest_b2b_2026_org_id, allot_digest_invoice_days_org_id, allot_digest_search_ranking_2,
    allot_digest_short_checkout, allot_digest_winter_banner, allot_digest_search_page_size,
    allot_variant_search_ranking
  ),
  -- buy-button, revision 8fcb4a9a491db3ba
  CASE
    WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
    WHEN allot_unit_user_id IN ('user-001') THEN 'large-green'  -- forced
    WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN NULL  -- holdout
    WHEN NOT COALESCE(allot_digest_checkout < '8000000000' /* 500000 */, FALSE) THEN NULL  -- slot
    WHEN allot_user_id IN ('user-001', 'user-002', 'user-003') THEN NULL  -- audience
    WHEN substr(allot_digest_buy_button, 11) COLLATE "C" < '4000000000' /* 250000 */ THEN 'control'  -- split
    WHEN substr(allot_digest_buy_button, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'green'  -- split
    ELSE 'large-green'  -- split
  END AS "buy-button",
  -- free-shipping-bar, revision f383d271b5f16a94
  CASE
    WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
    WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN NULL  -- holdout
    WHEN NOT COALESCE(allot_country IN ('AT', 'BE', 'DE', 'DK', 'ES', 'FI', 'FR', 'IE', 'IT', 'NL', 'NO', 'PL', 'PT', 'SE')
        AND (allot_core_app_version > '100000001310000000121000000010100000001010000000101000000010' /* 3.2 */
          OR (allot_core_app_version = '100000001310000000121000000010100000001010000000101000000010' /* 3.2 */
            AND allot_prerelease_app_version = ''))
        AND allot_platform IN ('android', 'ios'), FALSE)
    THEN NULL  -- audience
    WHEN allot_digest_free_shipping_bar >= '4000000000' /* 250000 */ THEN NULL  -- traffic
    WHEN substr(allot_digest_free_shipping_bar, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'control'  -- split
    ELSE 'bar'  -- split
  END AS "free-shipping-bar",
  -- hero-video, revision 7fa1cb6225f43d10
  CASE
    WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
    WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN NULL  -- holdout
    WHEN NOT COALESCE(allot_platform = 'web', FALSE) THEN NULL  -- audience
    ELSE 'video'  -- winner
  END AS "hero-video",
  -- invoice-days, revision 0f336fee0bcf2ed1
  CASE
    WHEN allot_unit_org_id IS NULL THEN NULL  -- no-unit
    WHEN NOT COALESCE(allot_digest_b2b_2026_org_id < '999999999a' /* 600000 */, FALSE) THEN NULL  -- slot
    WHEN NOT COALESCE(allot_plan IN ('business', 'team'), FALSE) THEN NULL  -- audience
    WHEN substr(allot_digest_invoice_days_org_id, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'control'  -- split
    ELSE 'month'  -- split
  END AS "invoice-days",
  -- product-gallery, revision 53b74f04ea87c795
  CASE
    WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
    WHEN allot_unit_user_id IN ('user-003') THEN 'control'  -- forced
    WHEN allot_unit_user_id IN ('user-002') THEN 'wide'  -- forced
    ELSE NULL  -- draft
  END AS "product-gallery",
  -- search-page-size, revision 89f7a2214ee6b49a
  CASE
    WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
    WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN NULL  -- holdout
    WHEN NOT COALESCE(allot_variant_search_ranking COLLATE "C" IN ('popularity', 'semantic'), FALSE) THEN NULL  -- requirement
    WHEN substr(allot_digest_search_page_size, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN '24'  -- split
    ELSE '48'  -- split
  END AS "search-page-size",
  -- search-ranking, revision f386b2c406c98f4a
  allot_variant_search_ranking AS "search-ranking",
  -- short-checkout, revision 733dbe7900a84938
  CASE
    WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
    WHEN allot_unit_user_id IN ('user-001') THEN NULL  -- displaced
    WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN NULL  -- holdout
    WHEN NOT COALESCE((allot_digest_checkout >= '8000000000' /* 500000 */
          AND allot_digest_checkout < 'b333333334' /* 700000 */)
        OR (allot_digest_checkout >= 'c000000000' /* 750000 */
          AND allot_digest_checkout < 'cccccccccd' /* 800000 */), FALSE)
    THEN NULL  -- slot
    WHEN substr(allot_digest_short_checkout, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'control'  -- split
    WHEN substr(allot_digest_short_checkout, 11) COLLATE "C" < 'c000000000' /* 750000 */ THEN 'one-step'  -- split
    ELSE 'two-steps'  -- split
  END AS "short-checkout",
  -- winter-banner, revision 346e295d6a902c84
  CASE
    WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
    WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN NULL  -- holdout
    WHEN NOT COALESCE((allot_number_orders < 2 OR NOT (allot_orders IS NOT NULL))
        AND NOT COALESCE(lower(allot_is_subscriber) = 'true', FALSE), FALSE)
    THEN NULL  -- audience
    WHEN substr(allot_digest_winter_banner, 11) COLLATE "C" < '55554fbdae' /* 333333 */ THEN 'control'  -- split
    WHEN substr(allot_digest_winter_banner, 11) COLLATE "C" < 'aaaab04253' /* 666667 */ THEN 'calm'  -- split
    ELSE 'loud'  -- split
  END AS "winter-banner"
FROM allot_required_1
