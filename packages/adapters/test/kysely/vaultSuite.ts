import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { personalVaultContract } from "@countersign/core/contracts/identity/personal/PersonalVault"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { type Database, Db, SealedVault } from "../../src/storage/kysely/index.ts"

const readFiles = (folder: string, isWanted: (name: string) => boolean): Uint8Array =>
  Buffer.concat(
    readdirSync(folder, { withFileTypes: true })
      .filter((file) => file.isFile() && isWanted(file.name))
      .map(({ name }) => readFileSync(join(folder, name)))
  )

/** Returns the files of a SQLite database: the database, its write-ahead log, index and journal. */
const sqliteFileBytes = Effect.gen(function* () {
  const [main] = yield* (yield* Db).all<{ readonly file: string }>(sql`pragma database_list`)
  const { file } = main!
  return readFiles(dirname(file), (name) => name.startsWith(basename(file)))
})

/** Returns the files that contain the tables and indexes of a Postgres database on this machine. */
export const postgresFileBytes = Effect.gen(function* () {
  const db = yield* Db
  yield* db.run(sql`checkpoint`)
  const [location] = yield* db.all<{ readonly folder: string }>(
    sql`select current_setting('data_directory') || '/base/' || oid as folder from pg_database where datname = current_database()`
  )
  return readFiles(location!.folder, () => true)
})

/** Returns the stored form of the key of an identity. */
const keyTextOf = (identityId: string) =>
  Effect.gen(function* () {
    const db = yield* Db
    const [row] = yield* db.all(db.query.selectFrom("subject_keys").select("secrets").where("id", "=", identityId))
    return row?.secrets ?? null
  })

/** Runs the contract tests of the vault with a database whose files are on this machine. */
export const vaultSuite = <E>(name: string, database: Layer.Layer<Database, E>): void =>
  personalVaultContract(name, Layer.provideMerge(SealedVault.layer, database), {
    keyTextOf,
    fileBytes: Effect.flatMap(Db, ({ dialect }) => (dialect === "sqlite" ? sqliteFileBytes : postgresFileBytes))
  })
