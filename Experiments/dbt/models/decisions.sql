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
    NULLIF(CAST((allot_source."is_subscriber" || '') AS VARCHAR) COLLATE "C", '') AS allot_is_subscriber
  FROM "users" AS allot_source
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    allot_user_id, allot_country, allot_platform, allot_org_id, allot_plan, allot_orders, allot_is_subscriber,
    CASE WHEN strlen(allot_user_id) <= 1024 THEN allot_user_id END AS allot_unit_user_id,
    CASE WHEN regexp_full_match(allot_app_version, 'v?(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?)?)?)?)?(-([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)([.]([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*))*)?([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?') THEN allot_app_version END AS allot_version_app_version,
    CASE WHEN strlen(allot_org_id) <= 1024 THEN allot_org_id END AS allot_unit_org_id,
    CASE WHEN strlen(allot_orders) <= 40 AND regexp_full_match(allot_orders, '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9][0-9]?)?') THEN TRY_CAST(allot_orders AS DOUBLE) + 0 END AS allot_number_orders
  FROM allot_attributes
  ),
  -- Parts of what was read.
  allot_digests AS (
  SELECT
    allot_user_id, allot_country, allot_platform, allot_org_id, allot_plan, allot_orders, allot_is_subscriber,
    allot_unit_user_id, allot_version_app_version, allot_unit_org_id, allot_number_orders,
    regexp_extract(allot_version_app_version, '^v?([0-9.]+)', 1) COLLATE "C" AS allot_numbers_app_version,
    CASE WHEN allot_version_app_version IS NOT NULL THEN regexp_extract(allot_version_app_version, '^v?[0-9.]+-([0-9A-Za-z.-]+)', 1) COLLATE "C" END AS allot_prerelease_app_version
  FROM allot_readings
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt. A bucket is below B of 1000000 if its ten digits
  -- are below those of B * 2^40 / 1000000, rounded up.
  allot_buckets AS (
  SELECT
    allot_user_id, allot_country, allot_platform, allot_org_id, allot_plan, allot_orders, allot_is_subscriber,
    allot_unit_user_id, allot_unit_org_id, allot_number_orders, allot_prerelease_app_version,
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
    sha256('search-page-size:' || allot_unit_user_id) COLLATE "C" AS allot_digest_search_page_size
  FROM allot_digests
  ),
  -- Variants that other experiments require.
  allot_required_1 AS (
  SELECT
    allot_user_id, allot_country, allot_platform, allot_org_id, allot_plan, allot_orders, allot_is_subscriber,
    allot_unit_user_id, allot_unit_org_id, allot_number_orders, allot_prerelease_app_version,
    allot_digest_h2_2026, allot_digest_checkout, allot_digest_buy_button, allot_core_app_version,
    allot_digest_free_shipping_bar, allot_digest_b2b_2026_org_id, allot_digest_invoice_days_org_id,
    allot_digest_search_ranking_2, allot_digest_short_checkout, allot_digest_winter_banner,
    allot_digest_search_page_size,
    CASE
      WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
      WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN NULL  -- holdout
      WHEN substr(allot_digest_search_ranking_2, 11) COLLATE "C" < '6666666667' /* 400000 */ THEN 'keyword'  -- split
      WHEN substr(allot_digest_search_ranking_2, 11) COLLATE "C" < 'a666666667' /* 650000 */ THEN 'popularity'  -- split
      WHEN substr(allot_digest_search_ranking_2, 11) COLLATE "C" < 'e666666667' /* 900000 */ THEN 'semantic'  -- split
      ELSE NULL  -- unallocated
    END AS allot_variant_search_ranking
  FROM allot_buckets
  ),
  -- The first check that applies gives the reason.
  allot_reasons AS (
  SELECT
    allot_user_id, allot_org_id, allot_unit_user_id, allot_digest_buy_button, allot_digest_free_shipping_bar,
    allot_digest_invoice_days_org_id, allot_digest_search_ranking_2, allot_digest_short_checkout,
    allot_digest_winter_banner, allot_digest_search_page_size, allot_variant_search_ranking,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_unit_user_id IN ('user-001') THEN 'forced'
      WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN 'holdout'
      WHEN NOT COALESCE(allot_digest_checkout < '8000000000' /* 500000 */, FALSE) THEN 'slot'
      WHEN allot_user_id IN ('user-001', 'user-002', 'user-003') THEN 'audience'
      ELSE 'split'
    END AS allot_reason_buy_button,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN 'holdout'
      WHEN NOT COALESCE(allot_country IN ('AT', 'BE', 'DE', 'DK', 'ES', 'FI', 'FR', 'IE', 'IT', 'NL', 'NO', 'PL', 'PT', 'SE')
          AND (allot_core_app_version > '100000001310000000121000000010100000001010000000101000000010' /* 3.2 */
            OR (allot_core_app_version = '100000001310000000121000000010100000001010000000101000000010' /* 3.2 */
              AND allot_prerelease_app_version = ''))
          AND allot_platform IN ('android', 'ios'), FALSE)
      THEN 'audience'
      WHEN allot_digest_free_shipping_bar >= '4000000000' /* 250000 */ THEN 'traffic'
      ELSE 'split'
    END AS allot_reason_free_shipping_bar,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN 'holdout'
      WHEN NOT COALESCE(allot_platform = 'web', FALSE) THEN 'audience'
      ELSE 'winner'
    END AS allot_reason_hero_video,
    CASE
      WHEN allot_unit_org_id IS NULL THEN 'no-unit'
      WHEN NOT COALESCE(allot_digest_b2b_2026_org_id < '999999999a' /* 600000 */, FALSE) THEN 'slot'
      WHEN NOT COALESCE(allot_plan IN ('business', 'team'), FALSE) THEN 'audience'
      ELSE 'split'
    END AS allot_reason_invoice_days,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_unit_user_id IN ('user-003') THEN 'forced'
      WHEN allot_unit_user_id IN ('user-002') THEN 'forced'
      ELSE 'draft'
    END AS allot_reason_product_gallery,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      ELSE 'paused'
    END AS allot_reason_reviews_first,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN 'holdout'
      WHEN NOT COALESCE(allot_variant_search_ranking COLLATE "C" IN ('popularity', 'semantic'), FALSE) THEN 'requirement'
      ELSE 'split'
    END AS allot_reason_search_page_size,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN 'holdout'
      WHEN substr(allot_digest_search_ranking_2, 11) COLLATE "C" >= 'e666666667' /* 900000 */ THEN 'unallocated'
      ELSE 'split'
    END AS allot_reason_search_ranking,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_unit_user_id IN ('user-001') THEN 'displaced'
      WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN 'holdout'
      WHEN NOT COALESCE((allot_digest_checkout >= '8000000000' /* 500000 */
            AND allot_digest_checkout < 'b333333334' /* 700000 */)
          OR (allot_digest_checkout >= 'c000000000' /* 750000 */
            AND allot_digest_checkout < 'cccccccccd' /* 800000 */), FALSE)
      THEN 'slot'
      ELSE 'split'
    END AS allot_reason_short_checkout,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_digest_h2_2026 < '051eb851ec' /* 20000 */ THEN 'holdout'
      WHEN NOT COALESCE((allot_number_orders < 2 OR NOT (allot_orders IS NOT NULL))
          AND NOT COALESCE(lower(allot_is_subscriber) = 'true', FALSE), FALSE)
      THEN 'audience'
      ELSE 'split'
    END AS allot_reason_winter_banner
  FROM allot_required_1
  ),
  -- The variants that are assigned.
  allot_variants AS (
  SELECT
    allot_user_id, allot_org_id, allot_digest_buy_button, allot_digest_free_shipping_bar,
    allot_digest_invoice_days_org_id, allot_digest_search_ranking_2, allot_digest_short_checkout,
    allot_digest_winter_banner, allot_digest_search_page_size, allot_variant_search_ranking,
    allot_reason_buy_button, allot_reason_free_shipping_bar, allot_reason_hero_video,
    allot_reason_invoice_days, allot_reason_product_gallery, allot_reason_reviews_first,
    allot_reason_search_page_size, allot_reason_search_ranking, allot_reason_short_checkout,
    allot_reason_winter_banner,
    CASE
      WHEN allot_reason_buy_button = 'forced' THEN 'large-green'
      WHEN allot_reason_buy_button <> 'split' THEN NULL
      WHEN substr(allot_digest_buy_button, 11) COLLATE "C" < '4000000000' /* 250000 */ THEN 'control'
      WHEN substr(allot_digest_buy_button, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'green'
      ELSE 'large-green'
    END AS allot_variant_buy_button,
    CASE
      WHEN allot_reason_free_shipping_bar <> 'split' THEN NULL
      WHEN substr(allot_digest_free_shipping_bar, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'control'
      ELSE 'bar'
    END AS allot_variant_free_shipping_bar,
    CASE
      WHEN allot_reason_hero_video = 'winner' THEN 'video'
    END AS allot_variant_hero_video,
    CASE
      WHEN allot_reason_invoice_days <> 'split' THEN NULL
      WHEN substr(allot_digest_invoice_days_org_id, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'control'
      ELSE 'month'
    END AS allot_variant_invoice_days,
    CASE
      WHEN allot_reason_product_gallery = 'forced' AND allot_unit_user_id IN ('user-003') THEN 'control'
      WHEN allot_reason_product_gallery = 'forced' AND allot_unit_user_id IN ('user-002') THEN 'wide'
    END AS allot_variant_product_gallery,
    CAST(NULL AS VARCHAR) AS allot_variant_reviews_first,
    CASE
      WHEN allot_reason_search_page_size <> 'split' THEN NULL
      WHEN substr(allot_digest_search_page_size, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN '24'
      ELSE '48'
    END AS allot_variant_search_page_size,
    CASE
      WHEN allot_reason_short_checkout <> 'split' THEN NULL
      WHEN substr(allot_digest_short_checkout, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'control'
      WHEN substr(allot_digest_short_checkout, 11) COLLATE "C" < 'c000000000' /* 750000 */ THEN 'one-step'
      ELSE 'two-steps'
    END AS allot_variant_short_checkout,
    CASE
      WHEN allot_reason_winter_banner <> 'split' THEN NULL
      WHEN substr(allot_digest_winter_banner, 11) COLLATE "C" < '55554fbdae' /* 333333 */ THEN 'control'
      WHEN substr(allot_digest_winter_banner, 11) COLLATE "C" < 'aaaab04253' /* 666667 */ THEN 'calm'
      ELSE 'loud'
    END AS allot_variant_winter_banner
  FROM allot_reasons
  )
SELECT decision.unit, decision.experiment, decision.variant, decision.reason, decision.bucket, decision.revision
FROM (
  SELECT
    unnest([
      {unit: allot_user_id, experiment: 'buy-button', variant: allot_variant_buy_button, reason: allot_reason_buy_button, bucket: CASE WHEN allot_reason_buy_button = 'split' THEN (CAST('0x' || substr(allot_digest_buy_button, 11, 10) AS BIGINT) * 1000000) >> 40 END, revision: '8fcb4a9a491db3ba'},
      {unit: allot_user_id, experiment: 'free-shipping-bar', variant: allot_variant_free_shipping_bar, reason: allot_reason_free_shipping_bar, bucket: CASE WHEN allot_reason_free_shipping_bar = 'split' THEN (CAST('0x' || substr(allot_digest_free_shipping_bar, 11, 10) AS BIGINT) * 1000000) >> 40 END, revision: 'f383d271b5f16a94'},
      {unit: allot_user_id, experiment: 'hero-video', variant: allot_variant_hero_video, reason: allot_reason_hero_video, bucket: CAST(NULL AS BIGINT), revision: '7fa1cb6225f43d10'},
      {unit: allot_org_id, experiment: 'invoice-days', variant: allot_variant_invoice_days, reason: allot_reason_invoice_days, bucket: CASE WHEN allot_reason_invoice_days = 'split' THEN (CAST('0x' || substr(allot_digest_invoice_days_org_id, 11, 10) AS BIGINT) * 1000000) >> 40 END, revision: '0f336fee0bcf2ed1'},
      {unit: allot_user_id, experiment: 'product-gallery', variant: allot_variant_product_gallery, reason: allot_reason_product_gallery, bucket: CAST(NULL AS BIGINT), revision: '53b74f04ea87c795'},
      {unit: allot_user_id, experiment: 'reviews-first', variant: allot_variant_reviews_first, reason: allot_reason_reviews_first, bucket: CAST(NULL AS BIGINT), revision: '36af564271807c16'},
      {unit: allot_user_id, experiment: 'search-page-size', variant: allot_variant_search_page_size, reason: allot_reason_search_page_size, bucket: CASE WHEN allot_reason_search_page_size = 'split' THEN (CAST('0x' || substr(allot_digest_search_page_size, 11, 10) AS BIGINT) * 1000000) >> 40 END, revision: '89f7a2214ee6b49a'},
      {unit: allot_user_id, experiment: 'search-ranking', variant: allot_variant_search_ranking, reason: allot_reason_search_ranking, bucket: CASE WHEN allot_reason_search_ranking = 'split' THEN (CAST('0x' || substr(allot_digest_search_ranking_2, 11, 10) AS BIGINT) * 1000000) >> 40 END, revision: 'f386b2c406c98f4a'},
      {unit: allot_user_id, experiment: 'short-checkout', variant: allot_variant_short_checkout, reason: allot_reason_short_checkout, bucket: CASE WHEN allot_reason_short_checkout = 'split' THEN (CAST('0x' || substr(allot_digest_short_checkout, 11, 10) AS BIGINT) * 1000000) >> 40 END, revision: '733dbe7900a84938'},
      {unit: allot_user_id, experiment: 'winter-banner', variant: allot_variant_winter_banner, reason: allot_reason_winter_banner, bucket: CASE WHEN allot_reason_winter_banner = 'split' THEN (CAST('0x' || substr(allot_digest_winter_banner, 11, 10) AS BIGINT) * 1000000) >> 40 END, revision: '346e295d6a902c84'}
    ]) AS decision
  FROM allot_variants
) AS allot_rows
