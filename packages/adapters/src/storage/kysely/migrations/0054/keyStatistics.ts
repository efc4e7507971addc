import type { Dialect } from "../Migration.ts"

/**
 * Excludes the keys of identities from Postgres's statistics. ANALYZE would copy a sample of the keys to `pg_statistic`,
 * where an erasure does not delete them. Setting the type again removes the existing statistics of the column.
 */
export const keyStatistics = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "postgres"
    ? [
        "alter table subject_keys alter column secrets set statistics 0",
        'alter table subject_keys alter column secrets type text collate "C"'
      ]
    : []
