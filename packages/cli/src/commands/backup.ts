import type { Progress, RestoredDatabase } from "@countersign/adapters/storage/backup"
import { DataSubjects } from "@countersign/core/tenancy/data-subjects"
import { Clock, Console, DateTime, Effect, Option, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { backupIdentity, backupRecipient, backupTarget } from "../environment/backupSettings.ts"
import { settings, withSettings } from "../environment/connect.ts"
import { database } from "../environment/database.ts"
import { CommandRefused } from "../environment/errors.ts"
import { home } from "../environment/home.ts"
import { kysely, withDatabase } from "../environment/withDatabase.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

const storage = Effect.promise(() => import("@countersign/adapters/storage/backup"))
const identities = Effect.promise(() => import("@countersign/adapters/identity"))

const target = Effect.gen(function* () {
  const { backupTargetOf } = yield* storage
  return backupTargetOf(yield* backupTarget)
})

const dump = Effect.gen(function* () {
  const { postgresDump, sqliteDump } = yield* storage
  const { database: databaseSettings } = yield* database
  return databaseSettings._tag === "Postgres"
    ? postgresDump(databaseSettings.url)
    : sqliteDump(databaseSettings.filename)
})

/** The folder and the store of the documents. */
const documents = Effect.gen(function* () {
  const { documentStoreOf } = yield* identities
  const { documentsFolder, documentsS3 } = yield* settings
  // Commands always run with settings that include a documents folder.
  const folder = documentsFolder!
  return { folder, store: documentStoreOf(folder, documentsS3) }
})

const MIB = 1_048_576
const REPORT_EVERY_MS = 2_000

const sizeText = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`

/** Reports the progress of a command on stderr, unless the output is machine-readable. */
const progressOf = (json: boolean): Effect.Effect<Progress> =>
  Effect.sync(() => {
    let reportedAt = 0
    return Effect.fnUntraced(function* (bytes, documentCount) {
      const now = yield* Clock.currentTimeMillis
      if (json || now - reportedAt < REPORT_EVERY_MS) return
      reportedAt = now
      yield* Console.error(`${sizeText(bytes)}, ${documentCount} documents …`)
    })
  })

const backupRows = ({ bytes, documents: count, name }: { name: string; bytes: number; documents: number }) =>
  [
    ["backup", name],
    ["content", `${sizeText(bytes)}, of which ${count} documents`]
  ] as const

const timeOf = (createdAtMs: number): string => DateTime.formatIso(DateTime.makeUnsafe(createdAtMs))

const key = Command.make(
  "key",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const { newBackupKey } = yield* storage
    const keyPair = yield* newBackupKey
    yield* print(json, keyPair, () =>
      [
        `BACKUP_RECIPIENT=${keyPair.recipient}`,
        `BACKUP_IDENTITY=${keyPair.identity}`,
        "",
        "The service needs only the recipient. Store the identity in two other locations, because no backup can be restored without it."
      ].join("\n")
    )
  })
).pipe(Command.withDescription("Generate a key pair for backups"))

/** Streams the stored documents of all sessions in the database. */
const storedDocuments = Effect.gen(function* () {
  const { documentKeys } = yield* kysely
  const { store } = yield* documents
  return documentKeys.pipe(
    Stream.mapEffect((name) => Effect.map(store.read(name), (content) => ({ key: name, content }))),
    Stream.filter((document): document is { key: string; content: Uint8Array } => document.content !== null)
  )
})

const create = Command.make(
  "create",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const { createBackup } = yield* storage
    const resolvedTarget = yield* target
    const recipient = yield* backupRecipient
    const source = { database: yield* dump, documents: yield* storedDocuments }
    const backup = yield* withDatabase(createBackup(source, resolvedTarget, recipient, yield* progressOf(json)))
    yield* print(json, { ...backup, target: resolvedTarget.location }, () =>
      card([...backupRows(backup), ["target", resolvedTarget.location]])
    )
  })
).pipe(
  Command.withDescription(
    "Back up the database and the documents of identity verifications. The service may run during the backup"
  ),
  Command.withExamples([
    {
      command: "countersign backup create",
      description: "Write a backup to BACKUP_TARGET, encrypted for BACKUP_RECIPIENT"
    }
  ])
)

const list = Command.make(
  "list",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const { listBackups } = yield* storage
    const backups = yield* listBackups(yield* target)
    yield* print(json, { backups }, () =>
      backups.length === 0 ? "There is no backup yet. Create one with `countersign backup create`." : backups.join("\n")
    )
  })
).pipe(Command.withDescription("List the backups, newest first"))

const name = Argument.String("backup").pipe(
  Argument.withDescription("Name of a backup, from `countersign backup list`; by default the latest"),
  Argument.optional
)

const verify = Command.make(
  "verify",
  { name, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, name: requestedName }) {
    const { verifyBackup } = yield* storage
    const resolvedTarget = yield* target
    const verification = yield* verifyBackup(
      resolvedTarget,
      Option.getOrNull(requestedName),
      yield* backupIdentity,
      yield* home,
      yield* progressOf(json)
    )
    yield* print(json, verification, () =>
      card([
        ...backupRows(verification),
        ["database", verification.database],
        ["made", timeOf(verification.createdAtMs)],
        ["state", "whole"]
      ])
    )
  })
).pipe(Command.withDescription("Decrypt and check a complete backup without restoring it"))

/**
 * Repeats the erasures of personal data that happened after a backup was created. Returns the number of erasures that
 * changed the database.
 */
const repeatErasures = Effect.fnUntraced(function* (restoredDatabase: RestoredDatabase, createdAtMs: number) {
  const { erasuresSince } = yield* storage
  const erasures = yield* erasuresSince(yield* target, createdAtMs)
  const serviceSettings = yield* settings
  const repeatedErasures = yield* withSettings(
    { ...serviceSettings, database: restoredDatabase },
    Effect.gen(function* () {
      const { repeatErasure } = yield* DataSubjects
      return yield* Effect.forEach(erasures, ({ identityId, projectId }) => repeatErasure(projectId, identityId))
    })
  )
  return repeatedErasures.filter(Boolean).length
})

const requireNoTables = withDatabase(
  Effect.gen(function* () {
    const { hasTables } = yield* kysely
    if (yield* hasTables) {
      return yield* new CommandRefused({
        reason:
          "The database of DATABASE_URL already has tables. Stop every process of the service, create an empty database, set DATABASE_URL to it, and run the command again."
      })
    }
  })
)

const restore = Command.make(
  "restore",
  { name, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, name: requestedName }) {
    const { restoreBackup } = yield* storage
    const resolvedTarget = yield* target
    const emptyDatabase = yield* dump
    if (emptyDatabase.kind === "postgres") yield* requireNoTables
    let erasedCount = 0
    const restoration = yield* restoreBackup(
      resolvedTarget,
      Option.getOrNull(requestedName),
      yield* backupIdentity,
      { database: emptyDatabase, ...(yield* documents) },
      yield* progressOf(json),
      (database, createdAtMs) =>
        Effect.map(repeatErasures(database, createdAtMs), (count) => {
          erasedCount = count
        })
    )
    yield* print(json, { ...restoration, erasuresRepeated: erasedCount }, () =>
      card([
        ...backupRows(restoration),
        ["made", timeOf(restoration.createdAtMs)],
        ["erasures repeated", String(erasedCount)]
      ])
    )
  })
).pipe(
  Command.withDescription(
    "Restore a backup to an empty database, and repeat later erasures. The service must not run during the restore"
  )
)

export const backup = Command.make("backup").pipe(Command.withSubcommands([key, create, list, verify, restore]))
