import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { PRIVATE_FILE_MODE } from "../files/index.ts"

/** The file of a running sandbox, for scripts: its address, a project with a key, owners, wallets and tokens. */
export const SandboxFile = Schema.Struct({
  baseUrl: Schema.String,
  apiKey: Schema.String,
  project: Schema.Struct({ id: Schema.String, name: Schema.String }),
  owners: Schema.Array(Schema.Struct({ address: Schema.String, privateKey: Schema.String })),
  wallets: Schema.Array(
    Schema.Struct({
      walletAddress: Schema.String,
      externallyOwnedAccount: Schema.String,
      factory: Schema.String,
      salt: Schema.Finite,
      eip7702: Schema.Boolean
    })
  ),
  chains: Schema.Array(Schema.Struct({ id: Schema.Finite, rpcUrl: Schema.String })),
  tokens: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.String)),
  /** A chain by regtest's rules, whose addresses have the main network's form. Pay no real coins to them: their keys are known. */
  bitcoin: Schema.optionalKey(
    Schema.Struct({
      network: Schema.Literal("regtest"),
      esploraUrl: Schema.String,
      wallets: Schema.Array(
        Schema.Struct({
          walletAddress: Schema.String,
          kind: Schema.String,
          privateKey: Schema.String,
          /** Absent in the file of an earlier version. */
          publicKey: Schema.optionalKey(Schema.String)
        })
      )
    })
  ),
  gatewayUrl: Schema.String,
  paymasters: Schema.Struct({ "0.7": Schema.String, "0.8": Schema.String }),
  pid: Schema.Int
})
export type SandboxFile = typeof SandboxFile.Type

export const sandboxFilePath = (home: string): string => join(home, "sandbox.json")

/** The sandbox's database in its home. */
export const sandboxDatabaseFile = (home: string): string => join(home, "countersign.db")

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(SandboxFile))
const encode = Schema.encodeEffect(Schema.fromJsonString(SandboxFile))

/** The file of the last sandbox that ran on this home; null where none did, or its file can't be read. */
export const readSandboxFile = (home: string): Effect.Effect<SandboxFile | null> =>
  Effect.tryPromise(() => readFile(sandboxFilePath(home), "utf8")).pipe(
    Effect.flatMap(decode),
    Effect.orElseSucceed(() => null)
  )

/** Whole or not at all, and readable by its owner alone: it holds a key. */
export const writeSandboxFile = Effect.fnUntraced(function* (home: string, file: SandboxFile) {
  const text = yield* Effect.orDie(encode(file))
  const target = sandboxFilePath(home)
  const draft = `${target}.${process.pid}`
  yield* Effect.promise(async () => {
    // A draft that a killed process left keeps the rights that it has.
    await rm(draft, { force: true })
    await writeFile(draft, `${JSON.stringify(JSON.parse(text), null, 2)}\n`, { mode: PRIVATE_FILE_MODE })
    await rename(draft, target)
  })
})
