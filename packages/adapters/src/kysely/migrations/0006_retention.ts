import { type ColumnTypes, columnTypes, type Migration } from "./Migration.ts"

/**
 * Epoch milliseconds of a record's `expiresAt`. Postgres would refuse to read JSON with the character NUL in it, so it
 * looks at the text: what callers write into the record's metadata is never followed by an object.
 */
const expiresAtOfRecord = (types: ColumnTypes): string =>
  types === columnTypes.sqlite
    ? `cast(round(unixepoch(record ->> 'expiresAt', 'subsec') * 1000) as integer)`
    : `cast(round(extract(epoch from cast(
        substring(record from '"expiresAt":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z)","transaction":[{]"id":')
        as timestamptz)) * 1000) as bigint)`

/** What is kept for a time only can be found by its age; endpoints know since when they take nothing. */
export const retention: Migration = {
  name: "0006_retention",
  statements: (types) => [
    `alter table user_operations add column expires_at ${types.integer}`,
    `update user_operations set expires_at = ${expiresAtOfRecord(types)} where submitted_at is null`,
    `create index user_operations_unsigned on user_operations (expires_at, hash) where submitted_at is null`,

    `create index webhook_deliveries_ended on webhook_deliveries (created_at, id) where status <> 'PENDING'`,
    // Without it, deleting an event reads all deliveries, to check that none refers to it.
    `create index webhook_deliveries_event on webhook_deliveries (event_id)`,
    `create index events_oldest on events (at, id)`,

    `alter table webhook_endpoints add column failing_since ${types.integer}`
  ]
}
