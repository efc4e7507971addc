import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { TaxScheduleStore } from "@countersign/core/accounting/tax"
import { aTaxSchedule } from "@countersign/core/contracts/accounting/tax/TaxScheduleStore"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { temporaryFile } from "../../../test/support/databases.ts"
import { layerSqlite, SecretKeys, sealTaxEmails, secretKeyOf } from "./index.ts"

const ADDRESS = "somebody.of.this.test@example.com"

/** Provides the store on a file, for a process with these keys. */
const withStore =
  (filename: string, keys: ReadonlyArray<ReturnType<typeof secretKeyOf>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, Layer.fresh(layerSqlite(filename)).pipe(Layer.provideMerge(Layer.succeed(SecretKeys, keys))))

/** Whether any file of the database contains the email address, including write-ahead log and shared memory. */
const isInFiles = (filename: string): boolean =>
  readdirSync(dirname(filename))
    .filter((name) => name.startsWith(basename(filename)))
    .some((name) => readFileSync(join(dirname(filename), name)).includes(ADDRESS))

const schedule = aTaxSchedule({ email: Redacted.make(ADDRESS) })
const { projectId, walletAddress } = schedule

const addresses = Effect.gen(function* () {
  const schedules = yield* (yield* TaxScheduleStore).list(projectId, walletAddress)
  return schedules.map(({ email }) => Redacted.value(email))
})

describe("the email address of a tax export schedule", () => {
  it.effect("is in no file of the database", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const keys = [secretKeyOf(randomBytes(32))]
      yield* Effect.gen(function* () {
        yield* (yield* TaxScheduleStore).insert(schedule)
        assert.isFalse(isInFiles(file))
        assert.deepStrictEqual(yield* addresses, [ADDRESS])
      }).pipe(withStore(file, keys))
      assert.isFalse(isInFiles(file))
      assert.deepStrictEqual(yield* addresses.pipe(withStore(file, keys)), [ADDRESS])
    })
  )

  it.effect("that was stored before there was a key is encrypted once there is one", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        yield* (yield* TaxScheduleStore).insert(schedule)
        assert.deepStrictEqual(yield* addresses, [ADDRESS])
      }).pipe(withStore(file, []))
      assert.isTrue(isInFiles(file))
      const keys = [secretKeyOf(randomBytes(32))]
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* addresses, [ADDRESS])
        yield* sealTaxEmails
        yield* sealTaxEmails
        assert.deepStrictEqual(yield* addresses, [ADDRESS])
      }).pipe(withStore(file, keys))
      assert.isFalse(isInFiles(file))
      assert.deepStrictEqual(yield* addresses.pipe(withStore(file, keys)), [ADDRESS])
    })
  )
})
