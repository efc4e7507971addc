import { createHash } from "node:crypto"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { ErasureRecords } from "@countersign/core/tenancy/data-subjects"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { Clock, Effect, Layer, Schema, Stream } from "effect"
import type { BackupTarget } from "./BackupTarget.ts"
import type { BackupTargetSettings } from "./BackupTargetSettings.ts"
import { BackupFailed } from "./errors.ts"
import { backupTargetOf } from "./targetOf.ts"

const FOLDER = "erasures/"
/** Number of digits of the time in a name, so that names sort by time. */
const DIGITS = 15

const Record = Schema.Struct({ projectId: ProjectId, identityId: Schema.String })
const encode = Schema.encodeSync(Schema.fromJsonString(Record))
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Record))

/** Builds a name with a hash of the id, because an id may contain characters that file names do not allow. */
const nameOf = (text: string, nowMs: number): string =>
  `${FOLDER}${String(nowMs).padStart(DIGITS, "0")}-${createHash("sha256").update(text).digest("hex").slice(0, 32)}.json`

const timeOf = (name: string): number => Number(name.slice(FOLDER.length, FOLDER.length + DIGITS))

/** Records erasures at the target of the backups. */
export const layerErasureRecords = (settings: BackupTargetSettings) => {
  const target = backupTargetOf(settings)
  return Layer.succeed(ErasureRecords, {
    record: (erasure) =>
      Effect.gen(function* () {
        const text = encode(erasure)
        yield* target.write(nameOf(text, yield* Clock.currentTimeMillis), Stream.make(Buffer.from(text)))
      }).pipe(
        Effect.catchTag("BACKUP_FAILED", ({ reason }) =>
          Effect.fail(
            new UpstreamUnavailable({
              upstream: "The backup target",
              reason: `the erasure can't be recorded there, so no data was erased. ${reason}`
            })
          )
        )
      )
  })
}

/**
 * Overlap in milliseconds: an erasure may start before a backup and end after it, and the clocks of machines differ.
 */
const OVERLAP_MS = 3_600_000

/** Lists the erasures that a backup of this time may not contain yet. */
export const erasuresSince = Effect.fnUntraced(function* (target: BackupTarget, createdAtMs: number) {
  const names = (yield* target.list(FOLDER)).filter((name) => timeOf(name) >= createdAtMs - OVERLAP_MS)
  return yield* Effect.forEach(names, (name) =>
    Effect.gen(function* () {
      const pieces = yield* Stream.runCollect(target.read(name))
      return yield* Effect.mapError(
        decode(Buffer.concat([...pieces]).toString()),
        () =>
          new BackupFailed({
            reason: `${name} at ${target.location} is not a valid record of an erasure. Restore that file, and run the command again.`
          })
      )
    })
  )
})
