/** Closed lists of words: which may name something, which functions do nothing but compute, which types there are. */

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/u).filter((word) => word !== ''));
}

/**
 * Words that are no unquoted name of a table, a column or an alias: those that give a statement its shape, and those with
 * which some database begins a statement, semicolon or not.
 */
export const reserved: ReadonlySet<string> = words(`
  all alter analyse analyze and any as asc attach backup begin between break bulk by call case cast checkpoint check close
  collate commit constraint continue copy create cross cursor dbcc deallocate declare default deny desc detach distinct do
  drop dump else end escape except exec execute exists explain false fetch for foreign from full goto grant group handler
  having if import in inner insert intersect into is isnull join kill lateral leave left like ilike limit listen load lock
  loop merge minus natural not notnull notify null offset on only open or order outer pragma prepare primary print procedure
  purge qualify raiserror readtext reconfigure references reindex rename repeat replace reset restore return returning revert
  revoke right rollback savepoint select set show shutdown signal similar some table tablesample then throw to truncate true
  union unique unlisten update updatetext use using vacuum values waitfor when where while window with writetext
`);

/** Functions that change nothing, reach nothing outside the text's tables and its arguments, and do not wait. */
export const functions: ReadonlySet<string> = words(`
  abs acos asin atan atan2 ceil ceiling cos cot degrees div exp floor ln log log10 log2 mod pi pow power radians random rand
  round sign sin sqrt tan trunc truncate greatest least width_bucket
  count sum avg min max total stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp bool_and
  bool_or every bit_and bit_or array_agg string_agg group_concat json_agg jsonb_agg json_object_agg jsonb_object_agg
  json_group_array json_group_object mode percentile_cont percentile_disc any_value grouping
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  ascii bit_length btrim char_length character_length chr concat concat_ws format initcap instr left length len lower lcase
  ltrim md5 octet_length overlay position regexp_count regexp_like regexp_match regexp_matches regexp_replace
  regexp_split_to_array replace reverse right rtrim split_part starts_with string_to_array strpos substr substring
  substring_index to_hex translate trim ucase unicode upper
  coalesce ifnull iif isnull nullif nvl if
  age current_date current_time current_timestamp date date_add date_diff date_format date_part date_sub date_trunc dateadd
  datediff datename datepart datetime day dayofmonth dayofweek dayofyear extract from_unixtime getdate hour julianday
  last_day localtime localtimestamp make_date make_interval make_time make_timestamp minute month now quarter second
  strftime sysdate time timestampdiff timestampadd to_char to_date to_number to_timestamp unix_timestamp unixepoch week
  weekday year clock_timestamp statement_timestamp transaction_timestamp timeofday
  array_append array_cat array_dims array_length array_lower array_position array_prepend array_remove array_replace
  array_to_string array_upper cardinality unnest generate_series
  json_array json_array_length json_build_array json_build_object json_contains json_extract json_extract_path
  json_extract_path_text json_object json_type json_typeof json_unquote json_valid json_value jsonb_array_length
  jsonb_build_array jsonb_build_object jsonb_exists jsonb_extract_path jsonb_extract_path_text jsonb_path_exists
  jsonb_path_query jsonb_path_query_array jsonb_pretty jsonb_set jsonb_strip_nulls jsonb_typeof row_to_json to_json to_jsonb
  json_each json_each_text jsonb_each jsonb_each_text json_array_elements json_array_elements_text jsonb_array_elements
  jsonb_array_elements_text json_object_keys jsonb_object_keys
  typeof pg_typeof values cube rollup similarity word_similarity to_tsvector to_tsquery plainto_tsquery websearch_to_tsquery
  ts_rank ts_headline encode decode hex gen_random_uuid uuid version
`);

/** Functions that give rows and may stand after FROM. */
export const tableFunctions: ReadonlySet<string> = words(`
  generate_series unnest json_each json_each_text jsonb_each jsonb_each_text json_array_elements json_array_elements_text
  jsonb_array_elements jsonb_array_elements_text json_object_keys jsonb_object_keys regexp_matches regexp_split_to_table
  string_to_table string_split json_to_recordset jsonb_to_recordset json_to_record jsonb_to_record jsonb_path_query
`);

/** First words of types. */
export const types: ReadonlySet<string> = words(`
  bigint bigserial binary bit blob bool boolean bpchar bytea char character cidr date datetime datetime2 decimal double
  float float4 float8 inet int int2 int4 int8 integer interval json jsonb longtext macaddr mediumint mediumtext money nchar
  ntext numeric nvarchar real serial serial4 serial8 signed smallint smallserial text time timestamp timestamptz timetz
  tinyint tinytext tsquery tsvector unsigned uuid varbinary varchar vector year
`);

/** Names that databases look up in their own catalogue first when no schema is given. */
export const catalogueName: RegExp =
  /^(?:pg_|sqlite_|dba_|v_?\$|sys(?:objects|columns|users|logins|databases|files|indexes|comments|processes|servers|permissions|protects|members|types|depends)$)/iu;
